package dev.hearth.yarn.internal.driver;

import dev.hearth.api.HearthException;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.yarn.internal.line.ContainerLaunch;
import dev.hearth.yarn.internal.line.ContainerLine;
import dev.hearth.yarn.internal.line.FinalOutcome;
import dev.hearth.yarn.internal.line.GrantedContainer;
import dev.hearth.yarn.internal.line.LineListener;
import dev.hearth.yarn.internal.line.LineOrders;
import dev.hearth.yarn.internal.line.LineRegistration;
import dev.hearth.yarn.internal.line.LineReport;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;

/**
 * Line of an application in client mode: asks the ResourceManager why a line is lost, and removes the application's files at
 * its end. Owned by the application's event loop.
 */
final class ClientLine implements ContainerLine {
    private final ContainerLine line;
    private final ClientApplication application;
    private final EventLoop loop;
    private final BiFunction<FinalOutcome, String, CompletionStage<Void>> end;
    private final CompletableFuture<Void> finished = new CompletableFuture<>();
    private boolean finishing;

    /** {@code end} ends the application through {@code line}, or otherwise. */
    ClientLine(
            ContainerLine line,
            ClientApplication application,
            EventLoop loop,
            BiFunction<FinalOutcome, String, CompletionStage<Void>> end) {
        this.line = line;
        this.application = application;
        this.loop = loop;
        this.end = end;
    }

    @Override
    public void open(LineListener listener) {
        line.open(new Explained(listener));
    }

    @Override
    public void order(LineOrders orders) {
        line.order(orders);
    }

    @Override
    public void beat(Duration delay) {
        line.beat(delay);
    }

    @Override
    public void start(GrantedContainer container, ContainerLaunch launch) {
        line.start(container, launch);
    }

    @Override
    public void stop(GrantedContainer container) {
        line.stop(container);
    }

    @Override
    public void trackingUrl(String url) {
        line.trackingUrl(url);
    }

    @Override
    public CompletionStage<Void> finish(FinalOutcome outcome, String words) {
        if (!finishing) {
            finishing = true;
            end.apply(outcome, words)
                    .whenComplete((done, failure) -> loop.inOrder(
                            () -> application.close().whenComplete((closed, problem) -> finished.complete(null))));
        }
        return finished.minimalCompletionStage();
    }

    @Override
    public void abandon() {
        line.abandon();
        application.close();
    }

    /** Passes events on; a loss with the reason that the ResourceManager knows. */
    private final class Explained implements LineListener {
        private final LineListener owner;

        Explained(LineListener owner) {
            this.owner = owner;
        }

        @Override
        public void registered(LineRegistration registration) {
            owner.registered(registration);
        }

        @Override
        public void replaced(LineRegistration registration) {
            owner.replaced(registration);
        }

        @Override
        public void reported(LineReport report) {
            owner.reported(report);
        }

        @Override
        public void started(String container) {
            owner.started(container);
        }

        @Override
        public void startFailed(String container, String why) {
            owner.startFailed(container, why);
        }

        @Override
        public void interrupted(String why) {
            owner.interrupted(why);
        }

        @Override
        public void lost(HearthException why) {
            application
                    .explain(why)
                    .thenAccept(reason -> loop.inOrder(() -> {
                        if (!finishing) {
                            owner.lost(reason);
                        }
                    }));
        }
    }
}
