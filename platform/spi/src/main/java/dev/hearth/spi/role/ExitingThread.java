package dev.hearth.spi.role;

/** Tells a thread that works from one that called {@link System#exit}: the latter waits for shutdown hooks and never returns. */
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
