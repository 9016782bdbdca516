package dev.hearth.junit;

/** Who shares a context with whom. */
public enum ContextPer {
    /** All methods of a test class, and of the classes nested in it, use one. */
    CLASS,
    /** Each test method gets one of its own; methods for all tests of a class get none. */
    METHOD
}
