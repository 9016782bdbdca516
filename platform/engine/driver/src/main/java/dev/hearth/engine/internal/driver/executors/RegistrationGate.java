package dev.hearth.engine.internal.driver.executors;

import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.loop.EventLoop;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds back the first tasks of an application until enough executors have registered, or until the time for that is
 * over. Otherwise all first tasks would run on the first executor, and the data that they cache would stay there. The
 * gate is closed at most once, when the application starts, and never again after it has opened. Owned by the driver's
 * event loop.
 */
final class RegistrationGate {
    private static final Logger LOG = LoggerFactory.getLogger(RegistrationGate.class);

    private final EventLoop loop;
    private final RegistrationSettings settings;
    private final IntSupplier executors;
    private final IntSupplier cores;
    private final Consumer<Boolean> hold;
    private Supplier<Demand> demand = () -> Demand.NONE;
    private boolean isClosed;
    private boolean announced;
    private EventLoop.@Nullable Timeout timer;

    /**
     * {@code executors} and {@code cores} return how many executors, and cores of executors, have registered. {@code
     * hold} receives true when tasks must wait, and false when they may start.
     */
    RegistrationGate(
            EventLoop loop,
            RegistrationSettings settings,
            IntSupplier executors,
            IntSupplier cores,
            Consumer<Boolean> hold) {
        this.loop = loop;
        this.settings = settings;
        this.executors = executors;
        this.cores = cores;
        this.hold = hold;
    }

    /**
     * Closes the gate, unless enough executors have registered or the settings allow no wait. {@code wanted} returns
     * the number of executors that the application requests.
     */
    void start(Supplier<Demand> wanted) {
        demand = wanted;
        if (!isReached() && !settings.waitMax().isZero()) {
            isClosed = true;
            hold.accept(true);
            timer = loop.schedule(settings.waitMax(), () -> open("the waiting time is over"));
        }
    }

    /** Opens the gate if enough executors have registered by now. Called after each registration. */
    void check() {
        if (isClosed && isReached()) {
            open("enough have registered");
        }
    }

    /** Logs once that the first tasks wait, if a job is submitted while the gate is closed. */
    void jobSubmitted() {
        if (isClosed && !announced) {
            announced = true;
            LOG.info(
                    "the first tasks wait for executors: {} (expected: {} of them, from {}); they start {} s after the"
                            + " start of the application at the latest",
                    registered(),
                    settings.ratio(),
                    RegistrationSettings.RATIO,
                    settings.waitMax().toSeconds());
        }
    }

    void stop() {
        isClosed = false;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void open(String why) {
        if (isClosed) {
            stop();
            LOG.info("tasks may start, because {}: {}", why, registered());
            hold.accept(false);
        }
    }

    /**
     * Whether enough executors or cores have registered: the configured share of the executors or of the cores that the
     * application requests. If it requests both numbers, one of them is enough. If it requests all executors that the
     * cluster can supply, only the cores are compared. Without a requested number of cores, this method then returns
     * true.
     */
    private boolean isReached() {
        OptionalInt coresRequested = settings.coresRequested();
        if (!isCounted() && coresRequested.isEmpty()) {
            return true;
        }
        double ratio = settings.ratio();
        boolean enoughExecutors =
                isCounted() && executors.getAsInt() >= ratio * demand.get().executors();
        return enoughExecutors || (coresRequested.isPresent() && cores.getAsInt() >= ratio * coresRequested.getAsInt());
    }

    private boolean isCounted() {
        return demand.get().executors() < Demand.ALL.executors();
    }

    private String registered() {
        return isCounted()
                ? executors.getAsInt() + " of " + demand.get().executors() + " requested executors are registered"
                : cores.getAsInt() + " of " + settings.coresRequested().orElse(0) + " requested cores are registered";
    }
}
