import * as vscode from 'vscode';
import type { TextRange } from '../../config/configProblem.ts';

/** The editor's range of a part of a text. */
export function toRange(text: string, { offset, length }: TextRange): vscode.Range {
  return new vscode.Range(positionAt(text, offset), positionAt(text, offset + length));
}

function positionAt(text: string, offset: number): vscode.Position {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return new vscode.Position(lines.length - 1, lines.at(-1)?.length ?? 0);
}
