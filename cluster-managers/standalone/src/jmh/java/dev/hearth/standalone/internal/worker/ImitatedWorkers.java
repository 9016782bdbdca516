package dev.hearth.standalone.internal.worker;

import dev.hearth.spi.loop.ThreadEventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.process.ChildProcess;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.process.CleanupSettings;
import dev.hearth.spi.process.OutputFiles;
import dev.hearth.spi.process.ProcessLauncher;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcLimits;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.RpcTimes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Workers in this process, each with a connection of its own to a master, that start nothing: their drivers and executors end at
 * once with success.
 */
final class ImitatedWorkers implements AutoCloseable {
    private static final int LOOPS = 4;
    private static final int MEBIBYTES = 1 << 20;
    private static final int PORT = 7078; // no process listens there

    private final List<ThreadEventLoop> loops = new ArrayList<>();
    private final List<RpcEnv> envs = new ArrayList<>();
    private final AtomicLong started = new AtomicLong();

    /** Begins to connect {@code count} workers, each of which offers {@code cores} cores. */
    ImitatedWorkers(RpcAddress master, int count, int cores) throws ReflectiveOperationException {
        for (int i = 0; i < Math.min(LOOPS, count); i++) {
            loops.add(new ThreadEventLoop("workers-" + i, Throwable::printStackTrace));
        }
        for (int i = 0; i < count; i++) {
            RpcEnv env = connecting();
            envs.add(env);
            WorkerSpec spec = new WorkerSpec(
                    "worker-" + i,
                    new RpcAddress("127.0.0.1", PORT),
                    cores,
                    MEBIBYTES,
                    Path.of("work"),
                    OutputFiles.DEFAULTS,
                    CleanupSettings.DEFAULTS,
                    List.of(master),
                    WorkerSpec.Children.DEFAULTS);
            new WorkerShell(spec, loops.get(i % loops.size()), env, new Nothing()).start();
        }
    }

    /** Env that listens nowhere. The factory is found by the name of its class, as this module does not know it. */
    private static RpcEnv connecting() throws ReflectiveOperationException {
        RpcEnvFactory factory = Class.forName("dev.hearth.rpc.internal.NettyRpcEnvFactory")
                .asSubclass(RpcEnvFactory.class)
                .getDeclaredConstructor()
                .newInstance();
        return factory.open(new RpcSettings(Optional.empty(), RpcSecurity.NONE, RpcLimits.DEFAULTS, RpcTimes.DEFAULTS));
    }

    /** Number of drivers and executors that were to start. */
    long started() {
        return started.get();
    }

    int size() {
        return envs.size();
    }

    /** Starts nothing. */
    private final class Nothing implements ProcessLauncher {
        @Override
        public ChildProcess start(ChildSpec spec) {
            return new Ended(started.incrementAndGet());
        }
    }

    private record Ended(long pid) implements ChildProcess {
        @Override
        public CompletionStage<Integer> exit() {
            return CompletableFuture.completedStage(0);
        }

        @Override
        public void stop() {
            // it has ended
        }

        @Override
        public String outputTail(int bytesMax) {
            return "Pi is roughly 3.14";
        }

        @Override
        public String errorTail(int bytesMax) {
            return "";
        }
    }

    @Override
    public void close() {
        envs.forEach(RpcEnv::close);
        loops.forEach(ThreadEventLoop::close);
    }
}
