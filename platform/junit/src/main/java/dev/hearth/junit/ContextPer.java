package dev.hearth.junit;

/** Scope of a context. */
public enum ContextPer {
    /** One context for all methods of a test class and of its nested classes. */
    CLASS,
    /** One context per test method; none for methods that serve a whole class. */
    METHOD
}
