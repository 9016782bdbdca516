package dev.hearth.kubernetes.internal.rehearsal;

import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Submitter without files. Completes {@link #ended} with the last status of its driver. */
final class RehearsedSubmission implements SubmissionServices, SubmissionListener {
    private final EventLoop loop;
    private final Settings settings;
    private final Path home;
    private final CompletableFuture<SubmissionStatus> ended = new CompletableFuture<>();

    RehearsedSubmission(EventLoop loop, Settings settings, Path home) {
        this.loop = loop;
        this.settings = settings;
        this.home = home;
    }

    CompletableFuture<SubmissionStatus> ended() {
        return ended;
    }

    @Override
    public EventLoop loop() {
        return loop;
    }

    @Override
    public RpcEnv rpc() {
        throw new UnsupportedOperationException("rehearsal: no messages");
    }

    @Override
    public Settings settings() {
        return settings;
    }

    @Override
    public Executor blocking() {
        return Runnable::run; // there is nothing to read
    }

    @Override
    public Path home() {
        return home;
    }

    @Override
    public Map<String, String> environment() {
        return Map.of();
    }

    @Override
    public void changed(SubmissionStatus status) {
        if (status.state().isFinal()) {
            ended.complete(status);
        }
    }

    @Override
    public void said(String line) {
        // there is no reader
    }

    @Override
    public void lost(String reason) {
        ended.completeExceptionally(new IllegalStateException("rehearsal: submission lost: " + reason));
    }
}
