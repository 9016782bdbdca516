package dev.hearth.junit;

/** Scope of the context that the extension injects. */
public enum ContextPer {
    /** One context for all methods of a test class and of its nested classes. */
    CLASS,
    /**
     * One context per test method. Constructors of shared instances and methods such as {@code @BeforeAll} get none.
     */
    METHOD
}
