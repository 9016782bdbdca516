package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.serial.UserObjects;
import dev.hearth.engine.internal.shuffle.MemoryShuffle;
import dev.hearth.spi.error.ExitCode;
import java.util.Optional;

/**
 * What an executor lends to its tasks. {@code shuffle} is there in the driver's process alone, where, as {@code inDriver} says,
 * values which cannot change are handed over as they are; elsewhere everything becomes bytes.
 */
public record TaskServices(
        UserObjects objects,
        boolean inDriver,
        DriverCalls driver,
        BroadcastValues broadcasts,
        Optional<MemoryShuffle> shuffle,
        TaskClocks clocks,
        ReaperSettings reaper,
        Fatality fatality) {

    /** Hears that the process can hardly go on. Called by any thread, at most a few times. */
    @FunctionalInterface
    public interface Fatality {
        /** Where the process belongs to the application: it goes on as well as it can. */
        Fatality SURVIVE = (code, reason) -> {};

        void report(ExitCode code, String reason);
    }
}
