package dev.hearth.standalone.internal.worker;

import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.process.CleanupSettings;
import dev.hearth.spi.process.OutputFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Configuration of a worker: id, address, offered resources, work directory with the bounds on its content, and
 * masters. Immutable.
 */
public record WorkerSpec(
        String id,
        RpcAddress address,
        int cores,
        int memoryMebibytes,
        Path directory,
        OutputFiles outputs,
        CleanupSettings cleanup,
        List<RpcAddress> masters) {
    static final Duration RETRY_FIRST = Duration.ofMillis(200);
    static final Duration RETRY_MAX = Duration.ofSeconds(10);

    public WorkerSpec {
        masters = List.copyOf(masters);
    }
}
