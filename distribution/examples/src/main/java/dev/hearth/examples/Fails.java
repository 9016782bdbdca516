package dev.hearth.examples;

/** An application that fails before it does anything: shows what its submitter sees. */
public final class Fails {
    private Fails() {}

    @SuppressWarnings("DoNotCallSuggester") // called by the launcher
    public static void main(String[] arguments) {
        throw new IllegalStateException("boom");
    }
}
