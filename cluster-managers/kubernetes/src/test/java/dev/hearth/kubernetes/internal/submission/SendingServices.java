package dev.hearth.kubernetes.internal.submission;

import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.Simulation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** Services of a submitter whose files are sent, on a loop of a simulation. */
class SendingServices implements SubmissionServices {
    final List<String> said = new ArrayList<>();
    final CompletableFuture<Void> stopped = new CompletableFuture<>();

    private final EventLoop loop;
    private final Settings settings;
    private final Path caches;

    /** Services of which no action runs. */
    SendingServices(Settings settings, Path caches) {
        this(new Simulation(1).process("none").loop("none"), settings, caches);
    }

    SendingServices(EventLoop loop, Settings settings, Path caches) {
        this.loop = loop;
        this.settings = settings;
        this.caches = caches;
    }

    @Override
    public EventLoop loop() {
        return loop;
    }

    @Override
    public RpcEnv rpc() {
        throw new UnsupportedOperationException("submissions to Kubernetes send no messages");
    }

    @Override
    public Settings settings() {
        return settings;
    }

    @Override
    public Executor blocking() {
        return loop;
    }

    @Override
    public Path home() {
        return caches;
    }

    @Override
    public Map<String, String> environment() {
        return Map.of("XDG_CACHE_HOME", caches.toString());
    }

    @Override
    public boolean sendsFiles() {
        return true;
    }

    @Override
    public CompletionStage<Void> stopped() {
        return stopped;
    }

    @Override
    public void said(String line) {
        said.add(line);
    }
}
