/** Configurations as their programs' documentation and their users write them; `path` is where they lie on some machine. */
export interface RealText {
  readonly path: string;
  readonly text: string;
}

export const VSCODE: RealText = {
  path: '/home/ada/project/.vscode/mcp.json',
  text: `{
  // 💡 Inputs are prompted on first server start, then stored securely by VS Code.
  "inputs": [
    {
      "type": "promptString",
      "id": "perplexity-key",
      "description": "Perplexity API Key",
      "password": true
    },
    { "type": "command", "id": "picked", "command": "extension.pick" }
  ],
  "servers": {
    // https://github.com/github/github-mcp-server/
    "Github": {
      "url": "https://api.githubcopilot.com/mcp/",
      "type": "http"
    },
    "Perplexity": {
      "type": "stdio",
      "command": "npx",
      "args": ["-y", "server-perplexity-ask"],
      "env": {
        "PERPLEXITY_API_KEY": "\${input:perplexity-key}"
      },
      "envFile": "\${workspaceFolder}/.env"
    },
    "own": {
      "command": "node",
      "cwd": "\${workspaceFolder}/server",
      "args": ["./build/index.js", "--name", "\${workspaceFolderBasename}"],
      "sandboxEnabled": true,
      "dev": {
        "watch": "build/**/*.js",
        "debug": { "type": "node" }
      },
    },
    "docker": { "type": "http", "url": "unix:///var/run/docker.sock#/mcp" },
    "socket": { "url": "unix:///tmp/s.sock" },
    "chosen": { "command": "npx", "args": ["\${input:picked}"] },
    "setting": { "command": "npx", "args": ["\${config:python.path}"] },
  },
  "sandbox": { "network": { "allowedDomains": ["example.com"] } }
}
`,
};

export const CLAUDE_DESKTOP: RealText = {
  path: 'C:\\Users\\Ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
  text: `{
  "globalShortcut": "Ctrl+Space",
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": [
        "-y",
        "@modelcontextprotocol/server-filesystem",
        "C:\\\\Users\\\\Ada\\\\Desktop"
      ]
    },
    "brave-search": {
      "command": "C:\\\\Program Files\\\\nodejs\\\\npx.cmd",
      "args": ["-y", "@modelcontextprotocol/server-brave-search"],
      "env": { "BRAVE_API_KEY": "BSA-literal" }
    },
    "literal": { "command": "run", "args": ["\${APPDATA}"] }
  }
}
`.replaceAll('\n', '\r\n'),
};

export const CLAUDE_CODE_USER: RealText = {
  path: '/home/ada/.claude.json',
  text: `{
  "numStartups": 42,
  "installMethod": "native",
  "mcpServers": {
    "context7": {
      "type": "http",
      "url": "https://mcp.context7.com/mcp",
      "headers": { "CONTEXT7_API_KEY": "ctx7sk-literal" }
    }
  },
  "projects": {
    "/home/ada/project": {
      "allowedTools": [],
      "mcpServers": {
        "airtable": {
          "type": "stdio",
          "command": "npx",
          "args": ["-y", "airtable-mcp-server"],
          "env": { "AIRTABLE_API_KEY": "key" }
        }
      },
      "hasTrustDialogAccepted": true
    },
    "/home/ada/other": {
      "mcpServers": { "asana": { "type": "sse", "url": "https://mcp.asana.com/sse" } }
    }
  }
}
`,
};

export const CLAUDE_CODE_PROJECT: RealText = {
  path: '/home/ada/project/.mcp.json',
  text: `{
  "mcpServers": {
    "api-server": {
      "type": "streamable-http",
      "url": "\${API_BASE_URL:-https://api.example.com}/mcp",
      "headers": {
        "Authorization": "Bearer \${API_KEY}"
      },
      "timeout": 600000
    },
    "local": {
      "command": "\${CLAUDE_PROJECT_DIR:-.}/run",
      "args": ["--level", "\${LEVEL:-info}"],
      "alwaysLoad": true
    },
    "signed": {
      "type": "http",
      "url": "https://mcp.example.com/mcp",
      "headersHelper": "/opt/bin/get-headers",
      "oauth": { "clientId": "abc", "callbackPort": 8080, "scopes": "read write", "authServerMetadataUrl": "https://auth" }
    },
    "socket": { "type": "ws", "url": "wss://example.com" }
  }
}
`,
};

export const CURSOR: RealText = {
  path: '/home/ada/.cursor/mcp.json',
  text: `{
	"mcpServers": {
		"local-server": {
			"type": "stdio",
			"command": "python",
			"args": ["\${workspaceFolder}/tools/mcp_server.py"],
			"env": {
				"API_KEY": "\${env:API_KEY}"
			},
			"envFile": "\${userHome}/.env"
		},
		"remote-server": {
			"url": "https://api.example.com/mcp",
			"headers": {
				"Authorization": "Bearer \${env:MY_SERVICE_TOKEN}"
			}
		},
		"oauth-server": {
			"url": "https://api.example.com/oauth/mcp",
			"auth": {
				"CLIENT_ID": "\${env:MCP_CLIENT_ID}",
				"CLIENT_SECRET": "\${env:MCP_CLIENT_SECRET}",
				"scopes": ["read", "write"]
			}
		}
	}
}`,
};

export const WINDSURF: RealText = {
  path: '/home/ada/.codeium/windsurf/mcp_config.json',
  text: `{
  "mcpServers": {
    "figma": {
      "serverUrl": "https://mcp.figma.com/mcp",
      "headers": { "Authorization": "Bearer \${env:FIGMA_TOKEN}" },
      "disabled": true,
      "disabledTools": ["create"]
    },
    "from-file": {
      "command": "npx",
      "args": ["-y", "x"],
      "env": { "TOKEN": "\${file:/run/secrets/token}" }
    }
  }
}
`,
};

export const ZED: RealText = {
  path: '/home/ada/.config/zed/settings.json',
  text: `// Zed settings
{
  "theme": "One Dark",
  "context_servers": {
    "local-mcp-server": {
      "command": "some-command",
      "args": ["arg-1", "arg-2"],
      "env": {},
      "timeout": 30,
    },
    "older": {
      "source": "custom",
      "command": { "path": "uvx", "args": ["mcp-server-git"], "env": null },
      "settings": {},
    },
    "remote-mcp-server": {
      "enabled": false,
      "url": "https://example.com/mcp",
      "headers": { "Authorization": "Bearer <token>" },
    },
    "postgres-context-server": {
      "source": "extension",
      "enabled": true,
      "settings": { "database_url": "postgresql://localhost" },
    },
  },
  "vim_mode": false,
}
`,
};

export const ALL: readonly RealText[] = [
  VSCODE,
  CLAUDE_DESKTOP,
  CLAUDE_CODE_USER,
  CLAUDE_CODE_PROJECT,
  CURSOR,
  WINDSURF,
  ZED,
];
