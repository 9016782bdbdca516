package dev.hearth.engine.internal.driver.loop;

import dev.hearth.api.HearthException;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.engine.internal.driver.executors.ExecutorFleet;
import dev.hearth.engine.internal.driver.racks.HostRacks;
import dev.hearth.spi.cluster.ExecutorListener;
import dev.hearth.spi.cluster.ExecutorStart;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.error.PrintableText;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.status.events.EventBus;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives the reports of the cluster manager and passes each to the component of the driver that it concerns. Owned by
 * the driver's event loop, on which it is called.
 */
final class ClusterReports implements ExecutorListener {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterReports.class);
    private static final int HINDRANCE_CHARACTERS_MAX = 500;

    private final String application;
    private final EventLoop loop;
    private final ExecutorFleet fleet;
    private final HostRacks racks;
    private final StarvationMonitor starvation;
    private final EventBus events;
    private final Consumer<HearthException> clusterLost;
    private final UnplaceableBound bound;

    ClusterReports(
            String application,
            EventLoop loop,
            ExecutorFleet fleet,
            HostRacks racks,
            StarvationMonitor starvation,
            EventBus events,
            Optional<Duration> unplaceableTimeout,
            Consumer<HearthException> clusterLost) {
        this.application = application;
        this.loop = loop;
        this.fleet = fleet;
        this.racks = racks;
        this.starvation = starvation;
        this.events = events;
        this.clusterLost = clusterLost;
        this.bound = new UnplaceableBound(application, loop, unplaceableTimeout, () -> fleet.cores() > 0, clusterLost);
    }

    @Override
    public void started(ExecutorId executor, String host, int cores) {
        started(ExecutorStart.of(executor, host, cores));
    }

    @Override
    public void started(ExecutorStart start) {
        loop.requireInLoop();
        start.rack().ifPresent(rack -> racks.known(start.host(), rack));
        fleet.started(start);
    }

    @Override
    public void leaving(ExecutorId executor, String reason) {
        loop.requireInLoop();
        fleet.leaving(executor, reason, Optional.empty());
    }

    @Override
    public void leaving(ExecutorId executor, String reason, Duration within) {
        loop.requireInLoop();
        fleet.leaving(executor, reason, Optional.of(within));
    }

    @Override
    public void staying(ExecutorId executor) {
        loop.requireInLoop();
        fleet.staying(executor);
    }

    @Override
    public void lost(ExecutorId executor, LostExecutor why) {
        loop.requireInLoop();
        fleet.lost(executor, why);
    }

    /**
     * Reports, in the log and in the status of the application, why the cluster starts no executors, if the reason has
     * changed. An empty reason means that it starts executors again.
     */
    @Override
    public void hindered(String reason) {
        loop.requireInLoop();
        bound.placeable();
        show(printable(reason));
    }

    /** As {@link #hindered}, and ends the application if that lasts for the time that the settings allow. */
    @Override
    public void unplaceable(String reason) {
        loop.requireInLoop();
        String text = printable(reason);
        bound.unplaceable(text);
        show(text);
    }

    private static String printable(String reason) {
        String line = PrintableText.line(reason.strip());
        return line.length() > HINDRANCE_CHARACTERS_MAX ? line.substring(0, HINDRANCE_CHARACTERS_MAX) : line;
    }

    private void show(String text) {
        if (starvation.hindered(text)) {
            if (text.isEmpty()) {
                LOG.info("application {}: the cluster starts executors again", application);
            } else {
                LOG.warn("application {}: the cluster starts no more executors: {}", application, text);
            }
            events.publishNow(at -> new ApplicationEvent.ExecutorsHindered(at, text));
        }
    }

    /** Reports that the cluster is away. The application goes on, also without executors, as the cluster may come back. */
    @Override
    public void clusterAway(String reason) {
        loop.requireInLoop();
        bound.placeable();
        LOG.warn("application {}: the cluster is away: {}; tasks go on", application, reason);
        show(printable(reason));
    }

    @Override
    public void clusterBack() {
        loop.requireInLoop();
        LOG.info("application {}: the cluster is back", application);
        show("");
    }

    @Override
    public void clusterLost(HearthException why) {
        loop.requireInLoop();
        LOG.warn("{}", why.getMessage());
        clusterLost.accept(why);
    }
}
