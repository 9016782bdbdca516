package dev.hearth.spi.role;

/**
 * Detects threads inside {@link System#exit}. Such a thread waits for shutdown hooks and never returns, so a hook that
 * waited for it would deadlock.
 */
public final class ExitingThread {
    private ExitingThread() {}

    /** Whether {@code thread} is inside {@link Runtime#exit} now, so that a shutdown hook must not wait for it. */
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
