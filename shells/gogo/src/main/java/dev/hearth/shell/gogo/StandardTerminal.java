package dev.hearth.shell.gogo;

import java.io.Console;
import java.lang.reflect.InvocationTargetException;

/** Detects whether this process has a terminal, without loading the line editor. */
final class StandardTerminal {
    private StandardTerminal() {}

    /**
     * Whether the process has a terminal. Since Java 22 a console may exist without one; {@code Console.isTerminal}
     * distinguishes the cases.
     */
    @SuppressWarnings("SystemConsoleNull") // Java 22 and later is handled below
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
