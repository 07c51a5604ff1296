// What the check of the page's types knows besides the modules: in their comments `API` has the types of the control API
// (protocol/types.d.ts) and those below.

import {
    ActionsReply, AskReply, DecisionsReply, Events, FileInfo, MemberInfo, PeerInfo, Person, PriorityInfo, SummaryReply,
} from '../../protocol/types'

export * from '../../protocol/types'
export as namespace API

/** The events of the daemon, and those of the stream: everything is to be read again, or it goes on after a break. */
export interface Told extends Events {
    again: {}
    resumed: {}
}

/** Takes any event: its type tells what its data are. */
export type Listener<Result = void> = (...event: { [K in keyof Told]: [type: K, data: Told[K]] }[keyof Told]) => Result

/** A function for each of some events. */
export type Listeners = { [K in keyof Told]?: (data: Told[K]) => void }

/** A peer, a member of a group, or somebody of whom less is known. */
export type Somebody = Partial<PeerInfo & MemberInfo> & { id: string; displayName: string }

/** A file of a message, with what events told: how fast it comes, and who fetches it from here and has how much. */
export type ShownFile = FileInfo & { rate?: number; at?: { peer: Person; bytes: number } }

/** What the assistant replied to any question; `messages` is a number in a summary. */
export type Said = Partial<AskReply & Omit<SummaryReply, 'messages'> & ActionsReply & DecisionsReply> & { messages?: number | PriorityInfo[] }

/** What goes into an element: what is null, undefined or false is left out. */
export type Child = Node | string | null | undefined | false | Child[]

/** The properties that `h` takes: listeners by the names of their events, `style` by CSS properties, and attributes. */
export type Props<Owner = Element> = {
    [Type in keyof HTMLElementEventMap as `on${Type}`]?: (event: HTMLElementEventMap[Type] & { currentTarget: Owner }) => unknown
} & { [name: string]: string | number | boolean | null | undefined | Record<string, string> | ((event: never) => unknown) }

/** The element that `h` makes: `HTMLButtonElement` of 'button.plain'. */
export type Made<Tag extends string> = Tag extends `${infer Name}.${string}` ? Named<Name> : Named<Tag>
type Named<Name> = Name extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Name] : HTMLElement

// What TypeScript 4.8 does not know of browsers.
declare global {
    /** Every element of the page is one of HTML or SVG. */
    interface Element extends HTMLOrSVGElement, ElementCSSInlineStyle {}

    interface Array<T> {
        findLast(fits: (one: T) => unknown): T | undefined
    }

    interface Navigator {
        setAppBadge?(count: number): Promise<void>
        clearAppBadge?(): Promise<void>
    }

    interface HTMLElement {
        showPopover?(): void
    }

    /** What the worker gets. The types for workers (lib.webworker.d.ts) cannot stand beside those for pages. */
    interface WorkerEvent extends Event {
        waitUntil(work: Promise<unknown>): void
    }

    interface WindowEventMap {
        activate: WorkerEvent
        fetch: WorkerEvent & { request: Request; respondWith(answer: Promise<Response>): void }
        install: WorkerEvent & { addRoutes?(routes: object[]): Promise<void> }
        message: WorkerEvent & MessageEvent
    }

    interface Window {
        clients: { claim(): Promise<void> }
        skipWaiting(): Promise<void>
    }

    var BarcodeDetector: { new (options: { formats: string[] }): { detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]> } }
    var trustedTypes: { createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(text: string): string } } | undefined
}
