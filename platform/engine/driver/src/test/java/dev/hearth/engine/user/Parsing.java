package dev.hearth.engine.user;

/** Code of an application that throws what the JDK throws. */
public final class Parsing {
    private Parsing() {}

    public static int parse(String text) {
        return Integer.parseInt(text);
    }
}
