package dev.hearth.shuffleservice.internal;

import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.Dispatch;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.rpc.Secret;
import dev.hearth.spi.shuffle.SegmentProtocol;
import dev.hearth.spi.shuffle.SegmentProtocol.CorruptionQuestion;
import dev.hearth.spi.shuffle.SegmentProtocol.SegmentsQuestion;
import dev.hearth.spi.shuffle.ShuffleService;
import dev.hearth.spi.shuffle.ShuffleServiceOrders;
import dev.hearth.spi.shuffle.ShuffleServiceProtocol;
import dev.hearth.spi.shuffle.ShuffleServiceProtocol.Attach;
import dev.hearth.spi.shuffle.ShuffleServiceProtocol.Attached;
import dev.hearth.spi.shuffle.ShuffleServiceProtocol.DropShuffles;
import dev.hearth.spi.shuffle.ShuffleServiceProtocol.EndApplication;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shuffle service of one worker. It opens a scope with the application's secret for each application, and answers
 * readers there. The event loop receives the messages of drivers and removes files. Guarded by its own lock.
 */
final class RunningShuffleService implements ShuffleService {
    private static final Logger LOG = LoggerFactory.getLogger(RunningShuffleService.class);
    private static final String PREFIX = "shuffle-";

    private final ExecutorId holder;
    private final RpcAddress address;
    private final RpcEnv rpc;
    private final EventLoop loop;
    private final List<Path> bases;
    private final ServiceBounds bounds;
    private final ServiceFigures figures;
    private final IndexCache indexes;
    private final ApplicationLeases leases;
    private final Map<String, Served> applications = new LinkedHashMap<>();
    private boolean closed;

    /**
     * An application, with its scope and directories. {@code holder} stands for this service, or for a former process of the
     * worker from which it has taken the application over.
     */
    private record Served(ExecutorId holder, RpcScope scope, OutputDirectories directories, ServedMapOutputs outputs) {}

    RunningShuffleService(
            String worker, RpcEnv rpc, EventLoop loop, Path work, ServiceBounds bounds, ServiceFigures figures) {
        this.holder = ShuffleServiceOrders.holderOf(worker);
        this.address = rpc.address()
                .orElseThrow(() -> new IllegalStateException("shuffle service: no port (expected: that of a worker)"));
        this.rpc = rpc;
        this.loop = loop;
        this.bases = bounds.directories().isEmpty() ? List.of(work.toAbsolutePath()) : bounds.directories();
        this.bounds = bounds;
        this.figures = figures;
        this.indexes = new IndexCache(bounds.indexBytesMax());
        this.leases = new ApplicationLeases(bounds.grace());
        figures.opened(this::size, indexes::bytes);
    }

    RunningShuffleService start() {
        adopt();
        loop.schedule(bounds.grace(), this::sweep);
        loop.execute(this::expire);
        LOG.info("shuffle service {}: map outputs are kept below {}", address, bases);
        return this;
    }

    /** Serves what a former process at this address has served. Its driver has the grace to connect again. */
    private synchronized void adopt() {
        ServiceRegistration.find(OutputDirectories.parents(bases), address).forEach((name, registration) -> {
            try {
                applications.put(name, open(name, registration));
                leases.admitted(name, now());
                LOG.info("{}: its map outputs are served again", name);
            } catch (RuntimeException failure) { // the driver computes its outputs again
                LOG.warn("{}: its map outputs are not served again: {}", name, Failures.describe(failure));
            }
        });
    }

    private synchronized long size() {
        return leases.size();
    }

    @Override
    public synchronized ShuffleServiceOrders admit(ApplicationId application, String driver, Optional<Secret> secret) {
        String name = name(application, driver);
        Served served = applications.get(name);
        if (served == null) {
            ServiceRegistration registration = new ServiceRegistration(holder, secret);
            served = open(name, registration);
            registration.write(served.directories.first().root(), address);
            applications.put(name, served);
        }
        leases.admitted(name, now());
        return new ShuffleServiceOrders(served.holder, address, name, served.directories.roots());
    }

    /** A name that differs between the lives of an application, because each has a driver of its own. */
    private static String name(ApplicationId application, String driver) {
        CRC32C life = new CRC32C();
        life.update(driver.getBytes(StandardCharsets.UTF_8));
        return PREFIX + application + "-" + Long.toHexString(life.getValue());
    }

    private Served open(String name, ServiceRegistration registration) {
        OutputDirectories directories = OutputDirectories.open(bases, name);
        boolean opened = false;
        try {
            ServedMapOutputs outputs = new ServedMapOutputs(directories.first(), directories.roots(), indexes, figures);
            RpcScope scope = rpc.scope(name, registration.secret());
            serve(scope, outputs);
            scope.register(
                    ShuffleServiceProtocol.ENDPOINT, ShuffleServiceProtocol.PROTOCOL, loop, driver(name, outputs));
            opened = true;
            return new Served(registration.holder(), scope, directories, outputs);
        } finally {
            if (!opened) {
                directories.release();
            }
        }
    }

    private static void serve(RpcScope scope, ServedMapOutputs outputs) {
        Receiver questions = Receiver.of(SegmentProtocol.ENDPOINT)
                .answer(SegmentsQuestion.class, (question, peer) -> outputs.segments(question))
                .build();
        Receiver checks = Receiver.of(SegmentProtocol.CHECKS)
                .answer(CorruptionQuestion.class, (question, peer) -> outputs.check(question))
                .build();
        scope.register(SegmentProtocol.ENDPOINT, SegmentProtocol.PROTOCOL, Dispatch.ownThread(), questions);
        scope.register(SegmentProtocol.CHECKS, SegmentProtocol.PROTOCOL, Dispatch.ownThread(), checks);
        scope.streams().serve(SegmentProtocol.SHUFFLES, outputs::content);
    }

    private Receiver driver(String name, ServedMapOutputs outputs) {
        return Receiver.of(ShuffleServiceProtocol.ENDPOINT)
                .answer(Attach.class, (message, peer) -> attach(name, peer))
                .on(DropShuffles.class, (message, peer) -> message.shuffles().forEach(outputs::drop))
                .on(EndApplication.class, (message, peer) -> loop.execute(() -> ended(name)))
                .onPeerLost((peer, reason) -> detach(name, peer))
                .build();
    }

    private synchronized Attached attach(String name, Peer peer) {
        boolean isKept = leases.attached(name, peer.id());
        Served served = applications.get(name);
        return new Attached(isKept && served != null ? served.holder.value() : "");
    }

    private synchronized void detach(String name, Peer peer) {
        leases.detached(name, peer.id(), now());
    }

    private synchronized void ended(String name) {
        if (leases.ended(name)) {
            remove(name, "it has ended");
        }
    }

    private synchronized void expire() {
        if (!closed) {
            leases.expire(now())
                    .forEach(name -> remove(
                            name,
                            "its driver was not connected for " + bounds.grace().toSeconds() + " s"));
            loop.schedule(bounds.grace().dividedBy(4), this::expire);
        }
    }

    private void remove(String name, String why) {
        Served gone = applications.remove(name);
        if (gone != null) {
            LOG.info("{}: its map outputs are removed, because {}", name, why);
            figures.removed();
            gone.scope.close();
            gone.outputs.forget();
            loop.execute(gone.directories.retire());
        }
    }

    private void sweep() {
        Set<String> used;
        synchronized (this) {
            used = Set.copyOf(applications.keySet());
        }
        OutputDirectories.sweep(bases, used);
    }

    private long now() {
        return loop.ticker().nanos();
    }

    @Override
    public synchronized void close() {
        closed = true;
        applications.values().forEach(served -> {
            served.scope.close();
            served.directories.release();
        });
        applications.clear();
    }
}
