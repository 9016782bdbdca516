package dev.hearth.junit;

/** Scope of a context that {@link HearthExtension} injects: how many tests share it. */
public enum ContextPer {
    /** One context for all methods of a test class and of its nested classes. */
    CLASS,
    /**
     * One context per test method. Constructors of shared test instances and methods such as {@code @BeforeAll} get no
     * context.
     */
    METHOD
}
