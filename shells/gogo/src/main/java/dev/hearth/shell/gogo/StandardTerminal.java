package dev.hearth.shell.gogo;

import java.io.Console;
import java.lang.reflect.InvocationTargetException;

/** Detects whether this process has a terminal. Does not load the line editor, which only a terminal needs. */
final class StandardTerminal {
    private StandardTerminal() {}

    /**
     * Whether the process has a terminal. Since Java 22 a console may exist without a terminal, so {@code
     * Console.isTerminal} is called if the JVM has that method.
     */
    @SuppressWarnings("SystemConsoleNull") // the value for Java 22 and later is checked below
    static boolean isThere() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (Boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException before22) {
            return true;
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("console: isTerminal failed (expected: true or false)", e);
        }
    }
}
