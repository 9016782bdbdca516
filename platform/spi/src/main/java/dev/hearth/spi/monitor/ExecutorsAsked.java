package dev.hearth.spi.monitor;

import dev.hearth.spi.error.Quantity;
import java.util.OptionalInt;

/**
 * Executors that an application asks its cluster for. {@code executors} is {@link Integer#MAX_VALUE} if it takes all it
 * can get. Without {@code cores} each executor has as many as its cluster gives. {@code mebibytes} is the memory of
 * each.
 */
public record ExecutorsAsked(int executors, OptionalInt cores, long mebibytes) {
    /** Text for display, such as {@code 2 executors of 4 cores, 1024 MiB}. */
    public String text() {
        String number = executors == Integer.MAX_VALUE ? "all executors possible" : Quantity.of(executors, "executor");
        String each = cores.isPresent() ? Quantity.of(cores.getAsInt(), "core") : "all cores of a worker";
        return number + " of " + each + ", " + mebibytes + " MiB";
    }
}
