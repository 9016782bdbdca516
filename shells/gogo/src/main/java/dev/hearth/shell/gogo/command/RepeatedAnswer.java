package dev.hearth.shell.gogo.command;

import dev.hearth.shell.gogo.answer.Table;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Answer of a command that may repeat it: with {@code --watch} every second, until it is interrupted or has shown it
 * {@code --times} times. A terminal with colours is redrawn; elsewhere each change is one more table. Used by one thread.
 */
public final class RepeatedAnswer {
    /** Option of commands that repeat their answer. */
    public static final String WATCH = "--watch";

    static final String TIMES = "--times";
    private static final long INTERVAL_MILLIS = 1_000;
    /** Sequence that moves the cursor to the top left and clears the terminal. */
    public static final String CLEAR_SCREEN = "\u001b[H\u001b[J";

    private final CommandCall call;
    private final Pause pause;
    private final long times;

    /** Fails if the options of {@code call} contradict each other. */
    RepeatedAnswer(CommandCall call, Pause pause) {
        this.call = call;
        this.pause = pause;
        this.times = times(call);
    }

    /** Wait between two questions. */
    interface Pause {
        void millis(long millis) throws InterruptedException;
    }

    /** Question whose answer is shown. */
    interface Question {
        Table ask() throws InterruptedException;
    }

    void give(Question question) throws InterruptedException {
        String last = "";
        for (long shown = 0; shown < times; ) {
            Table answer = question.ask();
            boolean first = shown == 0;
            if (call.isRedrawable() && call.has(WATCH)) {
                call.out().print(CLEAR_SCREEN);
                call.answer(answer);
                shown++;
            } else if (first || !answer.signature().equals(last)) {
                if (!first && !call.isJson()) {
                    call.out().println();
                }
                call.answer(answer);
                shown++;
            }
            last = answer.signature();
            if (shown < times) {
                pause.millis(INTERVAL_MILLIS);
            }
        }
    }

    /** Waits for {@code millis} or until the thread is interrupted. */
    static void pause(long millis) throws InterruptedException {
        try {
            new CompletableFuture<Void>()
                    .completeOnTimeout(null, millis, TimeUnit.MILLISECONDS)
                    .get();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("a pause cannot fail", impossible);
        }
    }

    private static long times(CommandCall call) {
        if (!call.has(WATCH)) {
            if (call.option(TIMES).isPresent()) {
                throw call.misused("option " + TIMES + " alone (expected: with " + WATCH + ")");
            }
            return 1;
        }
        String text = call.option(TIMES).orElse(String.valueOf(Long.MAX_VALUE));
        try {
            long times = Long.parseLong(text);
            if (times > 0) {
                return times;
            }
        } catch (NumberFormatException noNumber) {
            throw call.misused(TIMES + " '" + text + "' (expected: a number, 1 or more)");
        }
        throw call.misused(TIMES + " " + text + " (expected: 1 or more)");
    }
}
