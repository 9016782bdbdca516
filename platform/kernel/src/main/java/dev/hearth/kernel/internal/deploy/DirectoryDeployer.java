package dev.hearth.kernel.internal.deploy;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.kernel.Deployer;
import dev.hearth.spi.loop.EventLoop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scans a directory at intervals, passes the result to {@link Deployment} and carries out the effects that it returns.
 * The deployer's own loop does all of this, except that activators run on other threads ({@link CallRunner}), and jars
 * are read on others ({@link JarReader}). Any thread may read snapshots. Lives from the start of the role to its end.
 */
public final class DirectoryDeployer implements Deployer, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryDeployer.class);
    /** Time limit of the start or stop of a bundle. A call that exceeds it is reported as late and continues. */
    static final Duration ACTIVATION_BOUND = Duration.ofSeconds(30);
    /** Maximum wait at shutdown for a read, an installation, a start or a stop in progress. */
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(1);

    private final Path directory;
    private final Duration interval;
    private final EventLoop loop;
    private final DropDirectory files;
    private final CallRunner activations;
    private final JarReader reader;
    private final Supplier<Parts> maker;
    private @Nullable Parts created; // owned by the event loop; null until the first jar appears
    private final ReentrantLock working = new ReentrantLock();
    private final Deque<DeployEffect> waiting = new ArrayDeque<>(); // owned by the loop
    private final DeployEffect.Performer performer = new EffectPerformer(); // used by the loop
    private boolean unreadable; // owned by the loop; logged once
    private SortedMap<String, String> passedOver = new TreeMap<>(); // owned by the loop; each logged once
    private volatile List<Deployed> snapshot = List.of();
    // actions for the settled state; this list is also the lock of `settled`
    private final List<Runnable> onSettled = new ArrayList<>();
    private boolean settled;
    private final List<Demand> demands = new ArrayList<>(); // owned by the loop; not yet answered
    private volatile boolean awaits; // whether a bundle waits for a trigger
    private volatile boolean closed;

    /** Creates an idle deployer, which {@link #start} starts. Closing the deployer also closes {@code loop}. */
    DirectoryDeployer(Path directory, Duration interval, EventLoop loop, Supplier<Parts> maker) {
        this.directory = directory;
        this.interval = interval;
        this.loop = loop;
        this.files = new DropDirectory(directory);
        this.activations = CallRunner.onThreads(loop, "hearth-deploy-activation", ACTIVATION_BOUND);
        this.reader = new JarReader(
                loop,
                CallRunner.onThreads(loop, "hearth-deploy-read", JarReader.BOUND),
                finished -> advance(() -> finished.forEach(this::take)));
        this.maker = maker;
    }

    /**
     * Starts the scans. If the directory is empty, the initial deployment counts as ended at once. The first scan then
     * follows after an interval, so that the process starts quickly.
     */
    public void start() {
        if (isEmpty()) {
            settle();
            loop.schedule(interval, this::scan);
        } else {
            loop.execute(this::scan);
        }
    }

    @Override
    public boolean isWatching() {
        return true;
    }

    @Override
    public List<Deployed> deployed() {
        return snapshot;
    }

    @Override
    public String deploy(Path jar) {
        String name = String.valueOf(jar.getFileName());
        if (!Files.isRegularFile(jar) || !Files.isReadable(jar)) {
            throw ErrorCode.PATH_MISSING.failure(
                    "bundle " + jar + ": no such file (expected: a jar on the machine of this process)");
        }
        if (!DropDirectory.isDropped(jar)) {
            throw ErrorCode.NOT_DEPLOYED.failure(
                    "bundle " + jar + ": file name not accepted (expected: a name that ends in .jar and begins with"
                            + " no dot); rename it");
        }
        Path part = directory.resolve("." + name + "." + ProcessHandle.current().pid() + ".part");
        try {
            try {
                Files.copy(jar, part, StandardCopyOption.REPLACE_EXISTING);
                Files.move(part, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(part);
            }
        } catch (IOException e) {
            throw ErrorCode.NOT_DEPLOYED.failure(
                    "bundle " + name + ": " + directory + " cannot be written: " + e
                            + " (expected: a directory this process may write to); see hearth.deploy.dir",
                    e);
        }
        return name;
    }

    @Override
    public void undeploy(String file) {
        Path dropped = directory.resolve(file).normalize();
        try {
            if (!directory.equals(dropped.getParent())
                    || !DropDirectory.isDropped(dropped)
                    || !Files.deleteIfExists(dropped)) {
                throw ErrorCode.NOT_DEPLOYED.failure(
                        "file '" + file + "': not in " + directory + " (expected: one of " + files.names() + ")");
            }
        } catch (IOException e) {
            throw ErrorCode.NOT_DEPLOYED.failure(
                    "file '" + file + "': " + directory + " cannot be written: " + e
                            + " (expected: a directory this process may write to); remove the file by hand",
                    e);
        }
    }

    @Override
    public void whenSettled(Runnable action) {
        synchronized (onSettled) {
            if (!settled) {
                onSettled.add(action);
                return;
            }
        }
        action.run();
    }

    /**
     * Starts the bundles on demand that have a trigger for which {@code wanted} is true, and waits until they run, at
     * most {@link #ACTIVATION_BOUND}. Returns whether there were any. Fails with {@code START_FAILED} if one does not
     * start. Any thread except the deployer's loop may call.
     */
    public boolean startFor(Predicate<List<String>> wanted) {
        if (!awaits || closed) {
            return false;
        }
        CompletableFuture<List<String>> started = new CompletableFuture<>();
        AtomicBoolean any = new AtomicBoolean();
        loop.execute(() -> advance(() -> {
            Deployment deployment = parts().deployment();
            List<String> names = deployment.awaiting(wanted);
            accept(deployment.demand(names, loop.ticker().nanos()));
            any.set(!names.isEmpty());
            demands.add(new Demand(names, started));
        }));
        List<String> problems = List.of();
        try {
            problems = started.get(ACTIVATION_BOUND.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // stop waiting
        } catch (ExecutionException | TimeoutException late) {
            throw ErrorCode.START_FAILED.failure(
                    "deploy: bundles on demand not started after " + ACTIVATION_BOUND.toSeconds()
                            + " s (expected: started by then); see hearth:deployed",
                    late);
        }
        if (!problems.isEmpty()) {
            throw ErrorCode.START_FAILED.failure(String.join("\n  ", problems));
        }
        return any.get();
    }

    /** Completes the demands whose bundles run or are refused. */
    private void answerDemands(Deployment deployment) {
        for (Demand demand : List.copyOf(demands)) {
            if (!deployment.isStarting(demand.names)) {
                demands.remove(demand);
                demand.started.complete(deployment.problems(demand.names));
            }
        }
    }

    /** Bundles on demand that a caller waits for. The result lists the problems of those that do not run. */
    private record Demand(List<String> names, CompletableFuture<List<String>> started) {}

    /**
     * Checks at once, instead of at the next scan, whether bundles that wait until their users are gone can be stopped.
     * Called when a bundle has lost its last user. Any thread may call.
     */
    void checkNow() {
        loop.execute(() -> advance(this::tick));
    }

    /** Stops the scans. Deployed bundles continue to run until the framework stops them. */
    @Override
    public void close() {
        closed = true;
        loop.close();
        files.close();
        long deadline = System.nanoTime() + CLOSE_WAIT.toNanos();
        try {
            boolean free = working.tryLock(CLOSE_WAIT.toMillis(), TimeUnit.MILLISECONDS);
            if (free) {
                working.unlock();
            }
            if (!free
                    || !reader.awaitNone(deadline - System.nanoTime())
                    || !activations.awaitNone(deadline - System.nanoTime())) {
                LOG.debug("deploy: a read, an installation, a start or a stop is under way at the end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // stop waiting
        }
    }

    private void scan() {
        try {
            advance(() -> {
                DropDirectory.Listing listing = files.list();
                SortedMap<String, FileStamp> seen = listing.files();
                logPassedOver(listing.passedOver());
                if (unreadable) {
                    LOG.info("deploy: {} can be read again", directory);
                    unreadable = false;
                }
                if (created != null || !seen.isEmpty()) {
                    long wallMillis = loop.ticker().wall().toEpochMilli();
                    accept(parts().deployment()
                            .scan(seen, wallMillis, loop.ticker().nanos()));
                }
            });
            advance(this::tick); // a separate step, so that a bundle that the scan has stopped is not stopped twice
        } finally {
            loop.schedule(interval, this::scan);
        }
    }

    /**
     * Runs {@code work} unless the deployer is closed. Then carries out all effects that {@link Deployment} has decided
     * on, and those that result from them.
     */
    private void advance(Work work) {
        working.lock();
        try {
            if (closed) {
                return;
            }
            try {
                work.run();
            } catch (IOException e) {
                unreadable(e);
            }
            for (DeployEffect effect = waiting.poll(); effect != null; effect = waiting.poll()) {
                effect.perform(performer);
            }
            Parts parts = created;
            if (parts != null) {
                parts.classes().logCollected();
                answerDemands(parts.deployment());
                awaits = !parts.deployment().awaiting(triggers -> true).isEmpty();
            }
            snapshot = snapshot(parts);
            if (parts == null || unreadable || parts.deployment().isSettled()) {
                settle();
            }
        } finally {
            working.unlock();
        }
    }

    private void tick() {
        if (created != null) {
            accept(created.deployment().tick(loop.ticker().nanos()));
        }
    }

    private Parts parts() {
        Parts parts = created;
        if (parts == null) {
            parts = maker.get();
            created = parts;
        }
        return parts;
    }

    /**
     * Logs each entry of the deploy directory that a scan has passed over, with the reason. Omits entries that the
     * previous scan passed over for the same reason. {@code now} maps names to reasons.
     */
    private void logPassedOver(SortedMap<String, String> now) {
        now.forEach((name, reason) -> {
            if (!reason.equals(passedOver.get(name))) {
                LOG.warn("deploy: {}: {}", name, reason);
            }
        });
        passedOver = now;
    }

    private List<Deployed> snapshot(@Nullable Parts parts) {
        List<Deployed> all =
                new ArrayList<>(parts == null ? List.of() : parts.deployment().deployed());
        passedOver.forEach((name, reason) -> all.add(new Deployed(name, "", "", "", State.REFUSED, reason, List.of())));
        return List.copyOf(all);
    }

    private void accept(List<DeployEffect> effects) {
        waiting.addAll(effects);
    }

    private void unreadable(IOException failure) {
        if (!unreadable) {
            unreadable = true;
            if (failure instanceof NoSuchFileException) {
                LOG.debug("deploy: no directory {}", directory);
            } else {
                LOG.warn(
                        "deploy: {} cannot be read: {} (expected: a readable directory); bundles that run stay",
                        directory,
                        failure.toString());
            }
        }
    }

    private boolean isEmpty() {
        try {
            return files.names().isEmpty();
        } catch (IOException e) {
            return true; // ignored here, because the first scan reports the failure
        }
    }

    /**
     * Passes the result of reading a jar to {@link Deployment}. If the file contains a bundle, moves the temporary copy
     * of the file into the {@link JarStore}; otherwise deletes the copy.
     */
    private void take(JarReader.Finished read) {
        Deployment deployment = parts().deployment();
        DeployEffect.Read effect = read.effect();
        JarReadResult result = read.result();
        long now = loop.ticker().nanos();
        if (result.jar().isPresent()) {
            BundleJar jar = result.jar().get();
            try {
                parts().store().adopt(read.copy().orElseThrow(), jar);
                accept(deployment.read(effect.file(), effect.stamp(), jar, now));
            } catch (IOException e) {
                String problem = "its copy is gone: " + e + " (expected: a directory that no other program cleans)";
                accept(deployment.unusable(effect.file(), effect.stamp(), problem, false, now));
            }
            return;
        }
        read.copy().ifPresent(this::abandon);
        accept(deployment.unusable(effect.file(), effect.stamp(), result.problem(), !result.whole(), now));
    }

    private void abandon(Path copy) {
        try {
            parts().store().abandon(copy);
        } catch (IOException e) {
            LOG.warn("deploy: the copy of a refused jar was not deleted; the end of the process deletes it", e);
        }
    }

    private void settle() {
        List<Runnable> actions;
        synchronized (onSettled) {
            if (settled) {
                return;
            }
            settled = true;
            actions = List.copyOf(onSettled);
            onSettled.clear();
        }
        actions.forEach(Runnable::run);
    }

    /**
     * Action on the state of the deployer. It may read the deploy directory, so it can fail with an {@code
     * IOException}.
     */
    @FunctionalInterface
    private interface Work {
        void run() throws IOException;
    }

    /** Carries out the effects that {@link Deployment} has decided on, and reports their results to it. */
    private final class EffectPerformer implements DeployEffect.Performer {
        @Override
        public void onRead(DeployEffect.Read effect) {
            JarStore store = parts().store();
            Path copy = store.incoming();
            reader.read(effect, copy, () -> store.read(directory.resolve(effect.file()), effect.stamp(), copy));
        }

        @Override
        public void onInstall(DeployEffect.Install effect) {
            try {
                @Nullable String location = parts().locations().get(effect.content());
                if (location == null) {
                    parts().copies().install(effect.copy(), parts().store().path(effect.content()));
                } else {
                    parts().copies().installAgain(effect.copy(), location);
                }
                accept(parts().deployment().installed(effect.copy(), now()));
            } catch (BundleException | IOException | RuntimeException | OutOfMemoryError e) {
                LOG.debug("deploy: copy {} not installed", effect.copy(), e);
                String problem = parts().store()
                        .fullDisk(e)
                        .orElse(e.getMessage() + " (expected: a bundle that the framework can install)");
                accept(parts().deployment().notInstalled(effect.copy(), problem, now()));
            }
        }

        @Override
        public void onStart(DeployEffect.Start effect) {
            int copy = effect.copy();
            activations.run(
                    parts().copies().starting(copy, effect.needs()),
                    () -> late(copy),
                    failure -> advance(() -> started(copy, failure)));
        }

        private void started(int copy, Optional<Throwable> failure) {
            Deployment deployment = parts().deployment();
            if (failure.isEmpty()) {
                accept(deployment.started(copy, now()));
            } else if (failure.get() instanceof NeedMissingException missing) {
                accept(deployment.notStarted(copy, String.valueOf(missing.getMessage()), true, now()));
            } else if (failure.get() instanceof BundleException refused) {
                LOG.debug("deploy: copy {} not started", copy, refused);
                boolean unresolved = refused.getType() == BundleException.RESOLVE_ERROR;
                accept(deployment.notStarted(copy, parts().copies().problem(copy, refused), unresolved, now()));
            } else {
                String problem = Failures.expecting("its start threw " + failure.get(), "a start without failure");
                accept(deployment.notStarted(copy, problem, false, now()));
            }
        }

        @Override
        public void onStop(DeployEffect.Stop effect) {
            int copy = effect.copy();
            List<String> holders = parts().copies().holders(copy);
            if (parts().copies().seal(copy, effect.byForce())) {
                accept(parts().deployment().stopping(copy, now()));
                List<String> forced = effect.byForce() ? holders : List.of();
                activations.run(
                        parts().copies().stopping(copy),
                        () -> late(copy),
                        failure -> advance(() -> stopped(copy, forced, failure)));
            } else {
                accept(parts().deployment().held(copy, holders, parts().copies().isResident(copy), now()));
            }
        }

        private void stopped(int copy, List<String> forced, Optional<Throwable> failure) {
            parts().copies().stopped(copy, failure);
            accept(parts().deployment().stopped(copy, forced, now()));
        }

        private void late(int copy) {
            advance(() -> accept(parts().deployment().late(copy, ACTIVATION_BOUND, now())));
        }

        @Override
        public void onRefresh(DeployEffect.Refresh effect) {
            List<String> users = parts().copies().wiredTo(effect.copy());
            if (users.isEmpty()) {
                parts().copies().refresh(effect.copy(), () -> loop.execute(() -> advance(() -> gone(effect.copy()))));
            } else {
                accept(parts().deployment().wired(effect.copy(), users, now()));
            }
        }

        private void gone(int copy) {
            parts().copies().forget(copy);
            accept(parts().deployment().gone(copy, now()));
        }

        @Override
        public void onHide(DeployEffect.Hide effect) {
            parts().copies().hide(effect.copy());
        }

        @Override
        public void onDiscard(DeployEffect.Discard effect) {
            try {
                parts().store().discard(effect.content());
            } catch (IOException e) {
                LOG.warn("deploy: the copy of a removed jar was not deleted; the end of the process deletes it", e);
            }
        }

        @Override
        public void onMessage(DeployEffect.LogMessage effect) {
            if (effect.warning()) {
                LOG.warn("deploy: {}", effect.text());
            } else {
                LOG.info("deploy: {}", effect.text());
            }
        }

        private long now() {
            return loop.ticker().nanos();
        }
    }

    /**
     * Objects of the deployer that are created when the first jar appears. {@code locations} maps the hash of each
     * platform bundle's jar to the OSGi location of the bundle.
     */
    record Parts(
            Deployment deployment,
            JarStore store,
            BundleInstallations copies,
            ClassUnloadMonitor classes,
            Map<String, String> locations) {}
}
