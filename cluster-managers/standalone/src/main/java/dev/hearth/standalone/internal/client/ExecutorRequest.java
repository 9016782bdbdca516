package dev.hearth.standalone.internal.client;

import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.process.LaunchOptions;
import dev.hearth.spi.settings.SettingsReader;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Executors that an application requests: their cores and memory, and a limit on their total cores. Read from {@code
 * hearth.cores.max} and {@code hearth.executor.*}.
 */
record ExecutorRequest(OptionalInt coresMax, OptionalInt executorCores, int executorMemoryMebibytes) {
    static ExecutorRequest from(ApplicationSpec application) {
        SettingsReader in = new SettingsReader(application.settings());
        OptionalInt coresMax = optional(in.find(ApplicationSettings.CORES_MAX));
        OptionalInt cores = optional(in.find(ApplicationSettings.EXECUTOR_CORES));
        int memory = in.read(ApplicationSettings.EXECUTOR_MEMORY);
        LaunchOptions.ofExecutors(in); // checked here, used by the worker
        in.finish();
        return new ExecutorRequest(coresMax, cores, memory);
    }

    private static OptionalInt optional(Optional<Integer> given) {
        return given.map(OptionalInt::of).orElseGet(OptionalInt::empty);
    }
}
