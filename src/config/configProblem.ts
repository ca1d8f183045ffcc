/** A part of the file's text, counted in UTF-16 units as editors count. */
export interface TextRange {
  readonly offset: number;
  readonly length: number;
}

/** Something wrong in the file, where it stands, in words that say what to write instead. */
export interface ConfigProblem extends TextRange {
  readonly message: string;
  /** The server whose entry it stands in; that server cannot run. */
  readonly server?: string;
}
