package dev.hearth.yarn.internal.hadoop;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.yarn.internal.line.ContainerLaunch;
import dev.hearth.yarn.internal.line.ContainerLine;
import dev.hearth.yarn.internal.line.FinalOutcome;
import dev.hearth.yarn.internal.line.GrantedContainer;
import dev.hearth.yarn.internal.line.LineListener;
import dev.hearth.yarn.internal.line.LineOrders;
import dev.hearth.yarn.internal.line.LineRegistration;
import dev.hearth.yarn.internal.line.LineReport;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Line of an application master that is in this process. Owned by an event loop, on which it is called and calls its
 * listener. A thread of its own, the line thread, speaks with the ResourceManager, and a pool with NodeManagers. Lives until
 * {@link #finish} or {@link #abandon}.
 */
public final class DirectLine implements ContainerLine {
    private static final Logger LOG = LoggerFactory.getLogger(DirectLine.class);

    private final EventLoop loop;
    private final ResourceManagerCalls manager;
    private final ContainerCalls nodes;
    private final LineSettings settings;
    private final ThreadFactory threads;
    private final ExecutorService starts;
    private final LineInbox inbox;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile Optional<Ending> ending = Optional.empty(); // set once by the loop, before the inbox ends
    private String url = "";
    private boolean opened; // owned by the loop, as the two below
    private boolean closed;
    private Optional<LineListener> listener = Optional.empty();

    private record Ending(FinalOutcome outcome, String words) {}

    /** {@code threads} makes daemon threads with Hadoop's class loader. */
    DirectLine(
            EventLoop loop,
            ResourceManagerCalls manager,
            ContainerCalls nodes,
            LineSettings settings,
            ThreadFactory threads,
            ExecutorService starts) {
        this.loop = loop;
        this.manager = manager;
        this.nodes = nodes;
        this.settings = settings;
        this.threads = threads;
        this.starts = starts;
        this.inbox = new LineInbox(loop.ticker());
    }

    @Override
    public void open(LineListener owner) {
        loop.requireInLoop();
        if (opened) {
            throw new IllegalStateException("line: opened twice (expected: once)");
        }
        opened = true;
        listener = Optional.of(owner);
        String address = url;
        threads.newThread(() -> run(address)).start();
    }

    @Override
    public void order(LineOrders orders) {
        inbox.order(orders);
    }

    @Override
    public void beat(Duration delay) {
        inbox.dueWithin(delay);
    }

    @Override
    public void start(GrantedContainer container, ContainerLaunch launch) {
        attempt(() -> {
            try {
                nodes.start(container, launch);
                report(owner -> owner.started(container.id()));
            } catch (Exception failure) { // also of Hadoop's own kinds
                LOG.debug("start of {}", container, failure);
                report(owner -> owner.startFailed(
                        container.id(), "NodeManager " + container.node() + ": " + Failures.describe(failure)));
            }
        });
    }

    @Override
    public void stop(GrantedContainer container) {
        attempt(() -> {
            try {
                nodes.stop(container);
            } catch (Exception failure) { // the ResourceManager ends it when it is released
                LOG.debug("stop of {}", container, failure);
            }
        });
    }

    /** Runs a call to a NodeManager, unless the line is closed. */
    private void attempt(Runnable call) {
        if (!closed) {
            starts.execute(call);
        }
    }

    @Override
    public void trackingUrl(String address) {
        url = address;
        if (opened) {
            inbox.url(address);
        }
    }

    @Override
    public CompletionStage<Void> finish(FinalOutcome outcome, String words) {
        if (!closed) {
            closed = true;
            ending = Optional.of(new Ending(outcome, FinalWords.cut(words, FinalWords.CHARACTERS_MAX)));
            end();
        }
        return ended.minimalCompletionStage();
    }

    @Override
    public void abandon() {
        if (!closed) {
            closed = true;
            end();
        }
    }

    private void end() {
        starts.shutdown();
        inbox.end();
        if (opened) {
            loop.schedule(LineSettings.FINISH_BOUND, () -> {
                if (ended.complete(null)) {
                    LOG.warn(
                            "ResourceManager: no answer about the end of the application within {} s (expected: an"
                                    + " answer); YARN ends it when it misses its beats",
                            LineSettings.FINISH_BOUND.toSeconds());
                }
            });
        } else {
            close();
        }
    }

    private void close() {
        manager.close();
        nodes.close();
        ended.complete(null);
    }

    /** The line thread. */
    private void run(String address) {
        try {
            if (register(address)) {
                beats();
            }
            if (ending.isPresent()) {
                unregister(ending.get());
            }
        } catch (HearthException gone) {
            report(owner -> owner.lost(gone));
        } catch (InterruptedException interrupted) {
            report(owner -> owner.lost(ErrorCode.CLUSTER_LOST.failure(
                    "line to the ResourceManager: its thread was interrupted (expected: until the application ends)")));
        } catch (RuntimeException | Error mistake) { // else the application would wait for ever
            LOG.error("line to the ResourceManager", mistake);
            report(owner -> owner.lost(ErrorCode.CLUSTER_LOST.failure(
                    "line to the ResourceManager: " + Failures.describe(mistake) + " (expected: no failure)",
                    mistake)));
        } finally {
            starts.shutdown();
            close();
        }
    }

    /** Registers; returns false if the line ends before. */
    private boolean register(String address) throws InterruptedException {
        Outage outage = new Outage(ErrorCode.CLUSTER_UNREACHABLE);
        while (!inbox.isEnding()) {
            try {
                LineRegistration registration = manager.register(address);
                LOG.info("registered with the ResourceManager as attempt {}", registration.attempt());
                report(owner -> owner.registered(registration));
                return true;
            } catch (IOException unreachable) {
                outage.failed(unreachable);
                inbox.pause(LineSettings.RETRY);
            }
        }
        return false;
    }

    private void beats() throws InterruptedException {
        Outage outage = new Outage(ErrorCode.CLUSTER_LOST);
        while (!inbox.isEnding()) {
            LineInbox.Work work = inbox.await(settings.beat());
            if (inbox.isEnding()) {
                return;
            }
            work.orders().forEach(manager::note);
            work.url().ifPresent(manager::trackingUrl);
            // before the beat: its owner would take containers that this report grants for foreign ones
            LineRegistration before = manager.registration();
            try {
                LineReport report = manager.beat();
                if (outage.over()) {
                    report(owner -> owner.registered(before));
                }
                report(owner -> owner.reported(report));
            } catch (IOException unreachable) {
                outage.failed(unreachable);
                inbox.dueWithin(LineSettings.RETRY);
            }
        }
    }

    private void unregister(Ending end) throws InterruptedException {
        try {
            manager.unregister(end.outcome(), end.words(), settings.history());
        } catch (IOException | HearthException failure) {
            LOG.warn(
                    "ResourceManager: the end of the application as {} is not reported: {} (expected: an answer); YARN"
                            + " ends it when it misses its beats",
                    end.outcome(),
                    Failures.describe(failure));
        }
    }

    private void report(Consumer<LineListener> event) {
        loop.execute(() -> {
            if (!closed) {
                listener.ifPresent(event);
            }
        });
    }

    /** Time without answers of the ResourceManager. Confined to the line thread. */
    private final class Outage {
        private final ErrorCode code;
        private Optional<Long> sinceNanos = Optional.empty();

        Outage(ErrorCode code) {
            this.code = code;
        }

        /** Whether an outage is over now. */
        boolean over() {
            boolean was = sinceNanos.isPresent();
            sinceNanos = Optional.empty();
            return was;
        }

        /** Reports the beginning of an outage; fails if it lasts too long. */
        void failed(IOException why) {
            long now = loop.ticker().nanos();
            if (sinceNanos.isEmpty()) {
                sinceNanos = Optional.of(now);
                LOG.warn(
                        "ResourceManager: {}; trying again each {} ms",
                        Failures.describe(why),
                        LineSettings.RETRY.toMillis());
                report(owner -> owner.interrupted(Failures.describe(why)));
            }
            Duration gone = Duration.ofNanos(now - sinceNanos.get());
            if (gone.compareTo(settings.patience()) > 0) {
                throw code.failure(
                        "ResourceManager: no answer for " + gone.toSeconds() + " s, " + Failures.describe(why)
                                + " (expected: an answer within "
                                + settings.patience().toSeconds()
                                + " s); what became of the application is not known",
                        why);
            }
        }
    }
}
