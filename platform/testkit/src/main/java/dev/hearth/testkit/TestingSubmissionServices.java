package dev.hearth.testkit;

import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Executor;

/** Services of a submitter for tests of cluster managers. Blocking calls run as actions of the loop. Immutable. */
public record TestingSubmissionServices(RpcEnv rpc, EventLoop loop, Settings settings) implements SubmissionServices {
    @Override
    public Executor blocking() {
        return loop;
    }

    @Override
    public Path home() {
        return Path.of("/hearth");
    }

    @Override
    public Map<String, String> environment() {
        return Map.of();
    }
}
