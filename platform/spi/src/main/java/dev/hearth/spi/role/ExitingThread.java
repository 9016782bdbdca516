package dev.hearth.spi.role;

/**
 * Detects threads inside {@link System#exit}. They wait for shutdown hooks and never return, so waiting for them
 * deadlocks.
 */
public final class ExitingThread {
    private ExitingThread() {}

    /** Whether {@code thread} is inside {@link Runtime#exit}. */
    public static boolean is(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getClassName().equals(Runtime.class.getName())
                    && frame.getMethodName().equals("exit")) {
                return true;
            }
        }
        return false;
    }
}
