/** A text in a frame, and the index after the frame. */
export interface TextFrame {
  /** The text. */
  readonly text: string;
  /** The index after the frame, in bytes from the start of the input. */
  readonly next: number;
}
