/** Places that use a string, in words and in JSON. */
import type { Resource, XmlPlace } from '@utf8/classfile/resources';
import { escapeReversibly } from '../terminal/escape.js';
import type { FoundText } from './found-string.js';
import type { Kind } from './kind.js';

/** A place that uses a string. Not all forms of files tell the same of it. */
export interface FoundUse {
  readonly string: FoundText;
  readonly kind: Kind;
  /** Offset of the string's index from the start of the file, in bytes. */
  readonly offset: number;
  readonly className?: string | undefined;
  readonly member?: Member | undefined;
  readonly line?: number | undefined;
  readonly annotation?: { readonly type: string; readonly path: string } | undefined;
  readonly bootstrap?: Bootstrap | undefined;
  /** In a class file, the index of the constant that refers to the string. */
  readonly constant?: number | undefined;
  /** In a DEX file, the identifier that refers to it. */
  readonly id?: { readonly section: string; readonly index: number } | undefined;
  /** In a table of resources, the resource that the string is the name or a value of. */
  readonly resource?: Resource | undefined;
  /** In binary XML, the line, the element and the attribute. */
  readonly xml?: XmlPlace | undefined;
  /** For a tag in a styled string, that string's index. */
  readonly styled?: number | undefined;
}

interface Member {
  readonly type: string;
  readonly name: string;
  readonly descriptor: string;
}

interface Bootstrap {
  readonly method: string | undefined;
  readonly argument: number;
  readonly callers: readonly {
    /** The class of the file where it is missing. */
    readonly className?: string | undefined;
    readonly member: Member | undefined;
    readonly line: number | undefined;
  }[];
}

/** Most call sites of one bootstrap method to list: all of its arguments share them. */
const MOST_CALLERS = 16;

/**
 * Formats a place for a line: `x/Main.run()V:12`, followed by the path within an annotation or the
 * argument of a bootstrap method.
 */
export function formatWhere(use: FoundUse): string {
  const parts = [formatMember(use), use.string.path ?? ''];
  const { annotation, bootstrap, constant, id, resource, xml, styled } = use;
  if (annotation) parts.push(`@${annotation.type}`, annotation.path);
  if (bootstrap) {
    parts.push(`${bootstrap.method ?? '?'}[${bootstrap.argument}]`);
    // Not copied: the arguments of one method share their callers, and there may be thousands of both.
    const { callers } = bootstrap;
    const [first] = callers;
    if (first) parts.push(`at ${formatMember({ className: use.className, ...first })}`);
    if (callers.length > 1) parts.push(`(and ${callers.length - 1} more)`);
  }
  if (constant !== undefined) parts.push(`#${constant}`);
  if (id) parts.push(`${id.section}[${id.index}]`);
  if (resource) parts.push(formatResource(resource));
  if (xml)
    parts.push(`<${xml.element ?? ''}${xml.attribute ? ` ${xml.attribute}` : ''}>:${xml.line}`);
  if (styled !== undefined) parts.push(`in ${styled}`);
  return parts
    .filter((part) => part !== '')
    .map(escapeReversibly)
    .join(' ');
}

function formatMember({
  className = '',
  member,
  line,
}: Pick<FoundUse, 'className' | 'member' | 'line'>): string {
  const { type, name, descriptor } = member ?? {};
  const separator = type === 'method' ? '' : ':';
  const spelled = member ? `.${name}${separator}${descriptor}` : '';
  return `${className}${spelled}${line === undefined ? '' : `:${line}`}`;
}

/** `org.example.app:string/app_name`, the item of an array, a style or plurals, and the configuration. */
function formatResource(resource: Resource): string {
  const { type, name, item, configuration } = resource;
  const spelled = item === undefined ? '' : `[0x${item.toString(16).padStart(8, '0')}]`;
  return `${resource.package}:${type}/${name}${spelled} ${configuration}`.trimEnd();
}

/** A place as JSON, with the same keys for each; null if there is no value. */
export function describeWhere(use: FoundUse): object {
  const {
    offset,
    className,
    member,
    line,
    annotation,
    bootstrap,
    constant,
    id,
    resource,
    xml,
    styled,
  } = use;
  return {
    offset,
    class: className ?? null,
    member: member ?? null,
    line: line ?? null,
    annotation: annotation ?? null,
    bootstrap: bootstrap
      ? {
          ...bootstrap,
          callers: bootstrap.callers.slice(0, MOST_CALLERS),
          callerCount: bootstrap.callers.length,
        }
      : null,
    constant: constant ?? null,
    id: id ?? null,
    resource: resource ?? null,
    xml: xml ?? null,
    styled: styled ?? null,
  };
}
