/** A text in a frame, and where the next thing begins. */
export interface TextFrame {
  /** The text. */
  readonly text: string;
  /** The index after the frame, in bytes from the start of the input. */
  readonly next: number;
}
