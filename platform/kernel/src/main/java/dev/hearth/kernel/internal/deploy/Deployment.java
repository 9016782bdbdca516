package dev.hearth.kernel.internal.deploy;

import dev.hearth.kernel.internal.deploy.BundleContent.Refusal;
import dev.hearth.kernel.internal.inventory.VersionText;
import dev.hearth.spi.kernel.Deployer.Deployed;
import dev.hearth.spi.kernel.Deployer.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * State machine that decides which bundles of deploy/ run. Its input is scans, results of effects and the time; its
 * output is effects. Of each symbolic name the highest version runs. Other installations are hidden from new users and
 * drain, that is, wait until their users are gone. Invariants: once all effects are done, at most one installation of a
 * name runs; an installation in use is stopped only by force. Owned by {@link DirectoryDeployer}.
 */
final class Deployment {
    /**
     * Time, after the last change of an incomplete file, in which its reading is tried again. Later the file counts as
     * unusable.
     */
    static final Duration INCOMPLETE_FOR = Duration.ofSeconds(3);
    /**
     * Minimum age at which a file found by the first scan is read at once. All other files are read when a further scan
     * finds them unchanged.
     */
    static final long QUIET_MILLIS = 2_000;
    /**
     * Number of scans that must miss a file before it counts as removed. An editor may replace a file by removing it
     * first.
     */
    static final int MISSED_SCANS = 2;

    private final long drainNanos;
    private final Set<String> core;
    private final Map<String, DroppedFile> files = new LinkedHashMap<>();
    private final Map<String, BundleContent> contents = new LinkedHashMap<>();
    private final Map<Integer, BundleInstallation> copies = new LinkedHashMap<>();
    private final Set<String> demanded = new TreeSet<>(); // names of bundles that ran, or that a trigger asked for
    private final List<DeployEffect> effects = new ArrayList<>();
    private int copiesMade;
    private int contentsMade;
    private boolean scanned;
    private long now; // current time, set by each public method

    /**
     * {@code core} contains the symbolic names of bundles that cannot be replaced without a restart. {@code platform}
     * contains the bundles of the directory bundles/, which run already. They get the installation numbers 0, 1, 2 and
     * so on.
     */
    Deployment(Duration drainTimeout, Set<String> core, List<BundleJar> platform) {
        this.drainNanos = drainTimeout.toNanos();
        this.core = new TreeSet<>(core);
        for (BundleJar jar : platform) {
            BundleContent content = new BundleContent(jar, true, contentsMade++);
            contents.put(jar.content(), content);
            BundleInstallation copy = new BundleInstallation(copiesMade++, content);
            copy.move(InstallationState.STARTING);
            copy.move(InstallationState.RUNNING);
            copies.put(copy.number, copy);
            demanded.add(jar.name());
        }
    }

    /** Processes the result of one scan of the directory deploy/. */
    List<DeployEffect> scan(Map<String, FileStamp> seen, long wallMillis, long now) {
        this.now = now;
        boolean first = !scanned;
        scanned = true;
        for (DroppedFile file : files.values()) {
            if (!seen.containsKey(file.name)) {
                file.miss();
            }
        }
        seen.forEach((name, stamp) -> {
            DroppedFile known = files.get(name);
            if (known == null) {
                boolean quiet = first && wallMillis - stamp.modifiedMillis() >= QUIET_MILLIS;
                known = new DroppedFile(name, stamp, now, first, quiet);
                files.put(name, known);
                if (quiet) {
                    read(known);
                }
            } else if (known.seen(stamp, now)) {
                read(known);
            }
        });
        removeMissed();
        return drainEffects();
    }

    /**
     * Records that the file {@code name} contains the bundle {@code jar}, and decides what to start. {@code stamp} is
     * the file's state before it was read. If the file has changed since, only discards the stored copy of the jar.
     */
    List<DeployEffect> read(String name, FileStamp stamp, BundleJar jar, long now) {
        this.now = now;
        DroppedFile file = files.get(name);
        if (file == null || !file.stamp().equals(stamp)) {
            // the file changed while it was read, so another scan follows
            discardUnless(contents.containsKey(jar.content()), jar.content());
            return drainEffects();
        }
        boolean known = contents.containsKey(jar.content());
        BundleContent content =
                contents.computeIfAbsent(jar.content(), key -> new BundleContent(jar, false, contentsMade++));
        Optional<BundleContent> before = file.content();
        content.add(name, stamp.modifiedMillis());
        if (copies.values().stream().noneMatch(copy -> copy.content == content && copy.is(InstallationState.LATE))) {
            content.clearRefusal();
        }
        file.holds(content);
        if (!known && (jar.rule().kind() == StartRule.Kind.NEVER || isAwaiting(content))) {
            log(false, content + " does not start now: " + jar.rule().reason());
        }
        if (core.contains(jar.name())) {
            refuse(
                    content,
                    Refusal.FINAL,
                    jar.name() + " is part of the kernel (expected: a bundle that can be replaced); put it in place"
                            + " of the one in the installation and restart");
        }
        choose(jar.name());
        before.filter(old -> old != content).ifPresent(old -> leave(old, name));
        return drainEffects();
    }

    /**
     * Records that the read of the file {@code name} found no usable bundle; {@code problem} is the reason. If
     * {@code incomplete} is set, another program may still be writing the file. Later scans then read it again, until
     * {@link #INCOMPLETE_FOR} has passed.
     */
    List<DeployEffect> unusable(String name, FileStamp stamp, String problem, boolean incomplete, long now) {
        this.now = now;
        DroppedFile file = files.get(name);
        if (file != null && file.stamp().equals(stamp)) {
            if (incomplete && !file.isQuiet() && file.unchangedNanos(now) < INCOMPLETE_FOR.toNanos()) {
                file.settle();
            } else {
                file.unusable(problem);
                String kept = file.content()
                        .map(content -> "; " + content.jar + " stays")
                        .orElse("");
                log(true, name + ": " + problem + kept);
            }
        }
        return drainEffects();
    }

    List<DeployEffect> installed(int number, long now) {
        this.now = now;
        BundleInstallation copy = copies.get(number);
        copy.move(InstallationState.STARTING);
        effects.add(new DeployEffect.Start(number, needsOutside(copy.content)));
        return drainEffects();
    }

    List<DeployEffect> notInstalled(int number, String problem, long now) {
        this.now = now;
        BundleInstallation copy = copies.get(number);
        copy.move(InstallationState.GONE);
        copies.remove(number);
        refuse(copy.content, Refusal.FINAL, problem);
        choose(copy.content.jar.name());
        return drainEffects();
    }

    List<DeployEffect> started(int number, long now) {
        this.now = now;
        BundleInstallation copy = copies.get(number);
        if (copy.is(InstallationState.LATE)) {
            copy.content.clearRefusal();
        }
        copy.move(InstallationState.RUNNING);
        log(false, copy.content + " runs");
        choose(copy.content.jar.name());
        Set<String> retried = new TreeSet<>();
        for (BundleContent content : contents.values()) {
            if (content.refusal() == Refusal.UNRESOLVED && content.isPresent()) {
                content.allowRetry();
                retried.add(content.jar.name());
            }
        }
        retried.forEach(this::choose);
        return drainEffects();
    }

    /**
     * Records that the bundle of installation {@code number} did not start; {@code problem} is the reason. If {@code
     * unresolved} is set, a requirement is missing, which another bundle may still provide.
     */
    List<DeployEffect> notStarted(int number, String problem, boolean unresolved, long now) {
        this.now = now;
        BundleInstallation copy = copies.get(number);
        copy.move(InstallationState.REFUSED);
        refuse(copy.content, unresolved ? Refusal.UNRESOLVED : Refusal.FINAL, problem);
        choose(copy.content.jar.name());
        return drainEffects();
    }

    /**
     * Records that the activator of installation {@code number} has not returned from its start or stop within {@code
     * bound}. The activator may still return later.
     */
    List<DeployEffect> late(int number, Duration bound, long now) {
        this.now = now;
        BundleInstallation copy = copies.get(number);
        if (copy.is(InstallationState.STARTING)) {
            copy.move(InstallationState.LATE);
            refuse(copy.content, Refusal.FINAL, stillRuns("start", bound));
            choose(copy.content.jar.name());
        } else {
            copy.problem(stillRuns("stop", bound));
            log(true, copy.content + ": " + copy.problem());
        }
        return drainEffects();
    }

    private static String stillRuns(String method, Duration bound) {
        return "its activator still runs after " + bound.toSeconds() + " s (expected: a " + method
                + " that ends by then); other bundles do not wait for it; jstack shows where it is";
    }

    /**
     * Records that the bundle of installation {@code number} was not stopped, because its users {@code holders}, such
     * as applications, still need it. If {@code forGood} is set, one of them needs the bundle until the process ends.
     */
    List<DeployEffect> held(int number, List<String> holders, boolean forGood, long now) {
        this.now = now;
        BundleInstallation copy = copies.get(number);
        if (copy.heldBy(holders)) {
            log(
                    false,
                    copy.content + " waits up to "
                            + Duration.ofNanos(drainNanos).toSeconds() + " s before it stops, because it is still"
                            + " used by " + holders
                            + (forGood ? "; restart this process to end that" : ""));
        }
        return drainEffects();
    }

    /**
     * Records that the stop of the bundle of installation {@code number} has begun. From now on the bundle refuses new
     * users, such as applications.
     */
    List<DeployEffect> stopping(int number, long now) {
        this.now = now;
        copies.get(number).move(InstallationState.STOPPING);
        return drainEffects();
    }

    /**
     * Records that the bundle of installation {@code number} has stopped. If it was stopped by force, {@code forced}
     * lists the users (such as applications) that it still had; otherwise it is empty.
     */
    List<DeployEffect> stopped(int number, List<String> forced, long now) {
        this.now = now;
        BundleInstallation copy = copies.get(number);
        copy.move(InstallationState.STOPPED);
        copy.problem("");
        copy.heldBy(List.of());
        if (!forced.isEmpty()) {
            log(
                    true,
                    copy.content + ": stopped after "
                            + Duration.ofNanos(drainNanos).toSeconds()
                            + " s although still used by " + forced
                            + " (expected: ended by then); hearth.deploy.drainTimeout is the bound");
        }
        effects.add(new DeployEffect.Refresh(number));
        return drainEffects();
    }

    /**
     * Records that the classes of the uninstalled bundle of installation {@code number} could not be released. The
     * bundles named in {@code bundles} still use them.
     */
    List<DeployEffect> wired(int number, List<String> bundles, long now) {
        this.now = now;
        BundleInstallation copy = copies.get(number);
        if (copy.heldBy(bundles)) {
            log(false, copy.content + " is stopped; its classes stay for " + bundles);
        }
        return drainEffects();
    }

    List<DeployEffect> gone(int number, long now) {
        this.now = now;
        BundleInstallation copy = copies.remove(number);
        copy.move(InstallationState.GONE);
        log(false, copy.content + " is gone");
        forgetIfUnused(copy.content);
        return drainEffects();
    }

    /**
     * Starts the bundles on demand that are named in {@code names}. From now on these names are replaced by newer
     * versions without a further trigger.
     */
    List<DeployEffect> demand(List<String> names, long now) {
        this.now = now;
        demanded.addAll(names);
        names.forEach(this::choose);
        return drainEffects();
    }

    /** Returns the names of the bundles on demand that do not run and have triggers which {@code wanted} accepts. */
    List<String> awaiting(Predicate<List<String>> wanted) {
        return contents.values().stream()
                .filter(content -> content.isEligible() && isAwaiting(content))
                .filter(content -> wanted.test(content.jar.rule().triggers()))
                .map(content -> content.jar.name())
                .distinct()
                .toList();
    }

    private boolean isAwaiting(BundleContent content) {
        return content.isOnDemand() && !demanded.contains(content.jar.name());
    }

    /** Whether a bundle named in {@code names} is being installed or started. */
    boolean isStarting(Collection<String> names) {
        return copies.values().stream()
                .anyMatch(copy -> names.contains(copy.content.jar.name())
                        && copy.is(InstallationState.INSTALLING, InstallationState.STARTING));
    }

    /** Returns the reasons why bundles named in {@code names} do not run; empty if all do. */
    List<String> problems(Collection<String> names) {
        List<String> problems = new ArrayList<>();
        for (String name : names) {
            if (copiesOf(name).stream().noneMatch(copy -> copy.is(InstallationState.RUNNING))) {
                contents.values().stream()
                        .filter(content -> content.jar.name().equals(name)
                                && !content.problem().isEmpty())
                        .forEach(content -> problems.add("bundle " + content + ": " + content.problem()));
            }
        }
        return problems;
    }

    /**
     * Decides what is due at the time {@code now}. Tries to stop each draining installation (one that waits until its
     * users are gone), by force if the drain time-out has passed. Tries to release the classes of each stopped
     * installation by an OSGi refresh.
     */
    List<DeployEffect> tick(long now) {
        this.now = now;
        for (BundleInstallation copy : copies.values()) {
            if (copy.state() == InstallationState.DRAINING) {
                effects.add(new DeployEffect.Stop(copy.number, copy.drainedNanos(now) >= drainNanos));
            } else if (copy.state() == InstallationState.STOPPED) {
                effects.add(new DeployEffect.Refresh(copy.number));
            }
        }
        return drainEffects();
    }

    /**
     * Whether any installation waits until its users are gone, is being stopped, or has stopped but still has its
     * classes. If so, {@link #tick} has work.
     */
    boolean isDraining() {
        return copies.values().stream()
                .anyMatch(copy ->
                        copy.is(InstallationState.DRAINING, InstallationState.STOPPING, InstallationState.STOPPED));
    }

    /**
     * Whether the initial deployment has ended: every file found by the first scan has been read, and no bundle is
     * being installed or started.
     */
    boolean isSettled() {
        return scanned
                && files.values().stream().allMatch(file -> !file.early || file.isSettled())
                && copies.values().stream()
                        .noneMatch(copy -> copy.is(InstallationState.INSTALLING, InstallationState.STARTING));
    }

    /**
     * Returns the status of every file in the deploy directory, valid bundles first. Includes bundles of the platform
     * that were replaced and still wait until their users are gone.
     */
    List<Deployed> deployed() {
        List<Deployed> all = new ArrayList<>();
        for (BundleContent content : contents.values()) {
            List<BundleInstallation> own = copies.values().stream()
                    .filter(copy -> copy.content == content)
                    .toList();
            for (BundleInstallation copy : own) {
                State state = shown(copy.state());
                if (!content.ofPlatform || state == State.DRAINING) {
                    all.add(shown(content, state, copy.problem(), copy.holders()));
                }
            }
            if (own.isEmpty() && !content.ofPlatform) {
                all.add(shownIdle(content));
            }
        }
        for (DroppedFile file : files.values()) {
            if (file.phase() != DroppedFile.Phase.KNOWN) {
                State state = file.phase() == DroppedFile.Phase.UNUSABLE ? State.REFUSED : State.SETTLING;
                all.add(new Deployed(file.name, "", "", "", state, file.problem(), List.of()));
            }
        }
        return List.copyOf(all);
    }

    private static Deployed shown(BundleContent content, State state, String problem, List<String> holders) {
        BundleJar jar = content.jar;
        return new Deployed(
                content.file(),
                jar.content(),
                jar.name(),
                VersionText.of(jar.version()),
                state,
                state == State.REFUSED ? content.problem() : problem,
                holders);
    }

    /** Returns the status of a jar without an installation. */
    private Deployed shownIdle(BundleContent content) {
        String reason = content.jar.rule().reason();
        if (content.jar.rule().kind() == StartRule.Kind.NEVER) {
            return shown(content, State.OTHER_ROLE, reason, List.of());
        }
        if (!content.isEligible()) {
            return shown(content, State.REFUSED, "", List.of());
        }
        return isAwaiting(content)
                ? shown(content, State.ON_DEMAND, reason, List.of())
                : shown(content, State.SUPERSEDED, "", List.of());
    }

    private static State shown(InstallationState state) {
        return switch (state) {
            case INSTALLING, STARTING -> State.SETTLING;
            case RUNNING -> State.RUNNING;
            case LATE, REFUSED -> State.REFUSED;
            case DRAINING, STOPPING, STOPPED -> State.DRAINING;
            case GONE -> State.GONE;
        };
    }

    /**
     * Starts the best jar with the symbolic name {@code name}, by {@link BundleContent#RANK}, among those that may
     * start. Drains the other running installations of that name: stops each once its users are gone. The best of those
     * already running is kept until the chosen jar runs. A bundle on demand waits for a trigger, unless the name has
     * run before.
     */
    private void choose(String name) {
        Optional<BundleContent> best = contents.values().stream()
                .filter(content -> content.jar.name().equals(name) && content.isEligible())
                .max(BundleContent.RANK);
        best.filter(content -> !isAwaiting(content)).ifPresent(this::start);
        Optional<BundleInstallation> kept = copiesOf(name).stream()
                .filter(copy -> best.isPresent() && copy.is(InstallationState.RUNNING))
                .max(Comparator.comparing((BundleInstallation copy) -> copy.content.isEligible())
                        .thenComparing(copy -> copy.content, BundleContent.RANK));
        for (BundleInstallation copy : copiesOf(name)) {
            boolean superseded = copy.is(InstallationState.RUNNING)
                    && kept.filter(copy::equals).isEmpty();
            boolean abandoned = copy.is(InstallationState.REFUSED) && !copy.content.isPresent();
            if (superseded || abandoned) {
                copy.drain(now);
                effects.add(new DeployEffect.Hide(copy.number));
                effects.add(new DeployEffect.Stop(copy.number, false));
            }
        }
    }

    /**
     * Starts the bundle in {@code content}, and installs it first if necessary. Does nothing if an installation of it
     * already runs or is being started.
     */
    private void start(BundleContent content) {
        demanded.add(content.jar.name());
        for (BundleInstallation copy : copiesOf(content.jar.name())) {
            if (copy.content == content) {
                if (copy.is(InstallationState.REFUSED)) {
                    copy.move(InstallationState.STARTING);
                    effects.add(new DeployEffect.Start(copy.number, needsOutside(content)));
                }
                if (copy.is(InstallationState.INSTALLING, InstallationState.STARTING, InstallationState.RUNNING)) {
                    return;
                }
            }
        }
        BundleInstallation fresh = new BundleInstallation(copiesMade++, content);
        copies.put(fresh.number, fresh);
        effects.add(new DeployEffect.Install(fresh.number, content.jar.content()));
    }

    /** Returns the bundles that {@code content} needs and that are not in deploy/. */
    private List<String> needsOutside(BundleContent content) {
        return content.jar.rule().needs().stream()
                .filter(need -> contents.values().stream().noneMatch(other -> other.isPresent() && other.isNamed(need)))
                .toList();
    }

    private List<BundleInstallation> copiesOf(String name) {
        return copies.values().stream()
                .filter(copy -> copy.content.jar.name().equals(name))
                .toList();
    }

    private void read(DroppedFile file) {
        file.reading();
        effects.add(new DeployEffect.Read(file.name, file.stamp()));
    }

    /**
     * Treats files as removed from the directory if the last {@link #MISSED_SCANS} scans did not find them. Postpones
     * this while another file is being written or read, because that file may replace a missed one.
     */
    private void removeMissed() {
        boolean writing = files.values().stream()
                .anyMatch(file -> file.missedScans() == 0
                        && !file.isSettled()
                        && (file.phase() == DroppedFile.Phase.READING
                                || file.unchangedNanos(now) < INCOMPLETE_FOR.toNanos()));
        List<DroppedFile> away = files.values().stream()
                .filter(file -> !writing && file.missedScans() >= MISSED_SCANS)
                .toList();
        for (DroppedFile file : away) {
            files.remove(file.name);
            file.content().ifPresent(content -> leave(content, file.name));
        }
    }

    private void leave(BundleContent content, String file) {
        content.remove(file);
        choose(content.jar.name());
        forgetIfUnused(content);
    }

    private void forgetIfUnused(BundleContent content) {
        boolean used = content.isPresent() || copies.values().stream().anyMatch(copy -> copy.content == content);
        if (!used) {
            contents.remove(content.jar.content());
            effects.add(new DeployEffect.Discard(content.jar.content()));
            if (contents.values().stream().noneMatch(other -> other.jar.name().equals(content.jar.name()))) {
                demanded.remove(content.jar.name());
            }
        }
    }

    private void discardUnless(boolean known, String content) {
        if (!known) {
            effects.add(new DeployEffect.Discard(content));
        }
    }

    private void refuse(BundleContent content, Refusal kind, String problem) {
        if (content.refuse(kind, problem)) {
            log(true, content + ": " + problem);
        }
    }

    private void log(boolean warning, String text) {
        effects.add(new DeployEffect.LogMessage(warning, text));
    }

    private List<DeployEffect> drainEffects() {
        List<DeployEffect> taken = List.copyOf(effects);
        effects.clear();
        return taken;
    }
}
