package dev.hearth.standalone.internal.client;

import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.settings.SettingsReader;
import java.util.OptionalInt;

/** The executors an application asks for. Read from {@code hearth.cores.max} and {@code hearth.executor.*}. */
record ExecutorWish(OptionalInt coresMax, OptionalInt executorCores, int executorMemoryMebibytes) {
    private static final int DEFAULT_MEMORY_MEBIBYTES = 1024;

    static ExecutorWish from(ApplicationSpec application) {
        SettingsReader in = new SettingsReader(application.settings());
        int coresMax = in.integer("hearth.cores.max", 0, 1);
        int cores = in.integer("hearth.executor.cores", 0, 1);
        int memory = in.mebibytes("hearth.executor.memory", DEFAULT_MEMORY_MEBIBYTES);
        in.finish();
        return new ExecutorWish(orEmpty(coresMax), orEmpty(cores), memory);
    }

    private static OptionalInt orEmpty(int value) {
        return value > 0 ? OptionalInt.of(value) : OptionalInt.empty();
    }
}
