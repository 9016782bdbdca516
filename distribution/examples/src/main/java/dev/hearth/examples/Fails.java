package dev.hearth.examples;

/** An application that fails at once, before it opens a context. It shows the output of a failed submission. */
public final class Fails {
    private Fails() {}

    @SuppressWarnings("DoNotCallSuggester") // called by the launcher
    public static void main(String[] arguments) {
        throw new IllegalStateException("boom");
    }
}
