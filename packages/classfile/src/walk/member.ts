/** Fields, methods and record components. */
import { setOf } from '../kind.js';
import type { Layout } from './layout.js';
import { Mark } from './places.js';
import type { Walk } from './walk.js';

/** @see The Java Virtual Machine Specification, tables 4.1-B and 4.5-A */
export const ACC_STATIC = 0x0008;
export const ACC_ENUM = 0x4000;
export const ACC_MODULE = 0x8000;

const name = setOf('name');
const descriptor = setOf('descriptor');

/** The head of a member: flags (components have none), a name and a descriptor. */
export const member =
  (mark: number): Layout =>
  (walk) => {
    const { reader } = walk;
    walk.holder = mark;
    walk.memberName = 0;
    walk.memberDescriptor = 0;
    walk.places.list?.mark(mark, reader.offset);
    walk.memberFlags = mark === Mark.Component ? 0 : reader.u2();
    walk.memberName = walk.utf8(name);
    walk.memberDescriptor = walk.utf8(descriptor);
  };

/** Leaves the members: the rest belongs to the class itself. */
export function leaveMembers(walk: Walk): void {
  walk.holder = Mark.Class;
  walk.places.list?.mark(Mark.Class, walk.reader.offset);
}
