package dev.hearth.kernel.internal.deploy;

import dev.hearth.kernel.internal.deploy.Content.Refusal;
import dev.hearth.spi.kernel.Deployer.Deployed;
import dev.hearth.spi.kernel.Deployer.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What runs, given what deploy/ holds. A state machine: looks, answers and time come in, effects go out; {@link
 * DirectoryDeployer} owns it. Per symbolic name the highest version runs; a copy that is not it is found by nobody new and
 * drains. Invariants: one copy of a name is running once all effects are done; a copy in use is stopped by force only.
 */
final class Deployment {
    /** A file that is not whole is waited for this long after its last change. */
    static final Duration INCOMPLETE_FOR = Duration.ofSeconds(3);
    /** A file of the first look that was left alone this long before is read at once. */
    static final long QUIET_MILLIS = 2_000;
    /** Looks that miss a file until it counts as removed: an editor replaces a file by removing it first. */
    static final int MISSED_LOOKS = 2;

    private final long drainNanos;
    private final Set<String> core;
    private final Map<String, DroppedFile> files = new LinkedHashMap<>();
    private final Map<String, Content> contents = new LinkedHashMap<>();
    private final Map<Integer, Copy> copies = new LinkedHashMap<>();
    private final List<DeployEffect> effects = new ArrayList<>();
    private int copiesMade;
    private int contentsMade;
    private boolean looked;
    private long now; // set on entry

    /** {@code core}: names that only a restart replaces. {@code platform}: what runs from bundles/, as copies 0, 1, 2 ... */
    Deployment(Duration drainTimeout, Set<String> core, List<BundleJar> platform) {
        this.drainNanos = drainTimeout.toNanos();
        this.core = new TreeSet<>(core);
        for (BundleJar jar : platform) {
            Content content = new Content(jar, true, contentsMade++);
            contents.put(jar.content(), content);
            Copy copy = new Copy(copiesMade++, content);
            copy.move(CopyState.STARTING);
            copy.move(CopyState.RUNNING);
            copies.put(copy.number, copy);
        }
    }

    /** One look at the whole directory. */
    List<DeployEffect> look(Map<String, Stamp> seen, long wallMillis, long now) {
        this.now = now;
        boolean first = !looked;
        looked = true;
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

    /** The file held a bundle. */
    List<DeployEffect> read(String name, Stamp stamp, BundleJar jar, long now) {
        this.now = now;
        DroppedFile file = files.get(name);
        if (file == null || !file.stamp().equals(stamp)) { // it changed while it was read: there will be another look
            discardUnless(contents.containsKey(jar.content()), jar.content());
            return drainEffects();
        }
        Content content = contents.computeIfAbsent(jar.content(), key -> new Content(jar, false, contentsMade++));
        Optional<Content> before = file.content();
        content.add(name, stamp.modifiedMillis());
        if (copies.values().stream().noneMatch(copy -> copy.content == content && copy.is(CopyState.LATE))) {
            content.forgive();
        }
        file.holds(content);
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

    /** The file held no bundle; {@code incomplete} when it may yet become one. */
    List<DeployEffect> unusable(String name, Stamp stamp, String problem, boolean incomplete, long now) {
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
                tell(true, name + ": " + problem + kept);
            }
        }
        return drainEffects();
    }

    List<DeployEffect> installed(int number, long now) {
        this.now = now;
        copies.get(number).move(CopyState.STARTING);
        effects.add(new DeployEffect.Start(number));
        return drainEffects();
    }

    List<DeployEffect> notInstalled(int number, String problem, long now) {
        this.now = now;
        Copy copy = copies.get(number);
        copy.move(CopyState.GONE);
        copies.remove(number);
        refuse(copy.content, Refusal.FINAL, problem);
        choose(copy.content.jar.name());
        return drainEffects();
    }

    List<DeployEffect> started(int number, long now) {
        this.now = now;
        Copy copy = copies.get(number);
        if (copy.is(CopyState.LATE)) {
            copy.content.forgive();
        }
        copy.move(CopyState.RUNNING);
        tell(false, copy.content + " runs");
        choose(copy.content.jar.name());
        Set<String> retried = new TreeSet<>();
        for (Content content : contents.values()) {
            if (content.refusal() == Refusal.UNRESOLVED && content.isPresent()) {
                content.admit();
                retried.add(content.jar.name());
            }
        }
        retried.forEach(this::choose);
        return drainEffects();
    }

    /** {@code unresolved}: what it lacks may still come. */
    List<DeployEffect> notStarted(int number, String problem, boolean unresolved, long now) {
        this.now = now;
        Copy copy = copies.get(number);
        copy.move(CopyState.REFUSED);
        refuse(copy.content, unresolved ? Refusal.UNRESOLVED : Refusal.FINAL, problem);
        choose(copy.content.jar.name());
        return drainEffects();
    }

    /** Its activator, which starts or stops it, has run for {@code bound} and still does; the answer may yet come. */
    List<DeployEffect> late(int number, Duration bound, long now) {
        this.now = now;
        Copy copy = copies.get(number);
        if (copy.is(CopyState.STARTING)) {
            copy.move(CopyState.LATE);
            refuse(copy.content, Refusal.FINAL, stillRuns("start", bound));
            choose(copy.content.jar.name());
        } else {
            copy.problem(stillRuns("stop", bound));
            tell(true, copy.content + ": " + copy.problem());
        }
        return drainEffects();
    }

    private static String stillRuns(String method, Duration bound) {
        return "its activator still runs after " + bound.toSeconds() + " s (expected: a " + method
                + " that ends by then); its end is waited for, and nothing else waits for it; jstack shows where it is";
    }

    /** It was not stopped, because {@code holders} use it; {@code forGood} when no bound ends that. */
    List<DeployEffect> held(int number, List<String> holders, boolean forGood, long now) {
        this.now = now;
        Copy copy = copies.get(number);
        if (copy.heldBy(holders)) {
            tell(
                    false,
                    copy.content + " drains, up to "
                            + Duration.ofNanos(drainNanos).toSeconds() + " s; still used by " + holders
                            + (forGood ? "; restart this process to end that" : ""));
        }
        return drainEffects();
    }

    /** Nobody can use it any more, and it is being stopped. */
    List<DeployEffect> stopping(int number, long now) {
        this.now = now;
        copies.get(number).move(CopyState.STOPPING);
        return drainEffects();
    }

    /** It is stopped and uninstalled; {@code robbed} used it to the last. */
    List<DeployEffect> stopped(int number, List<String> robbed, long now) {
        this.now = now;
        Copy copy = copies.get(number);
        copy.move(CopyState.STOPPED);
        copy.problem("");
        copy.heldBy(List.of());
        if (!robbed.isEmpty()) {
            tell(
                    true,
                    copy.content + ": stopped after "
                            + Duration.ofNanos(drainNanos).toSeconds()
                            + " s although still used by " + robbed
                            + " (expected: ended by then); hearth.deploy.drainTimeout is the bound");
        }
        effects.add(new DeployEffect.Refresh(number));
        return drainEffects();
    }

    /** Its classes are still used by other bundles. */
    List<DeployEffect> wired(int number, List<String> bundles, long now) {
        this.now = now;
        Copy copy = copies.get(number);
        if (copy.heldBy(bundles)) {
            tell(false, copy.content + " is stopped; its classes stay for " + bundles);
        }
        return drainEffects();
    }

    List<DeployEffect> gone(int number, long now) {
        this.now = now;
        Copy copy = copies.remove(number);
        copy.move(CopyState.GONE);
        tell(false, copy.content + " is gone");
        forgetIfUnused(copy.content);
        return drainEffects();
    }

    /** Time has passed. */
    List<DeployEffect> tick(long now) {
        this.now = now;
        for (Copy copy : copies.values()) {
            if (copy.state() == CopyState.DRAINING) {
                effects.add(new DeployEffect.Stop(copy.number, copy.drainedNanos(now) >= drainNanos));
            } else if (copy.state() == CopyState.STOPPED) {
                effects.add(new DeployEffect.Refresh(copy.number));
            }
        }
        return drainEffects();
    }

    /** Whether something drains: then ticks matter. */
    boolean isDraining() {
        return copies.values().stream()
                .anyMatch(copy -> copy.is(CopyState.DRAINING, CopyState.STOPPING, CopyState.STOPPED));
    }

    /** Whether all that was there at the first look runs, or is refused. */
    boolean isSettled() {
        return looked
                && files.values().stream().allMatch(file -> !file.early || file.isSettled())
                && copies.values().stream().noneMatch(copy -> copy.is(CopyState.INSTALLING, CopyState.STARTING));
    }

    /** What there is, in the order of its coming. */
    List<Deployed> deployed() {
        List<Deployed> all = new ArrayList<>();
        for (Content content : contents.values()) {
            List<Copy> own = copies.values().stream()
                    .filter(copy -> copy.content == content)
                    .toList();
            for (Copy copy : own) {
                State state = shown(copy.state());
                if (!content.ofPlatform || state == State.DRAINING) {
                    all.add(shown(content, state, copy.problem(), copy.holders()));
                }
            }
            if (own.isEmpty() && !content.ofPlatform) {
                all.add(shown(content, content.isEligible() ? State.SUPERSEDED : State.REFUSED, "", List.of()));
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

    private static Deployed shown(Content content, State state, String problem, List<String> holders) {
        BundleJar jar = content.jar;
        return new Deployed(
                content.file(),
                jar.content(),
                jar.name(),
                jar.version().toString(),
                state,
                state == State.REFUSED ? content.problem() : problem,
                holders);
    }

    private static State shown(CopyState state) {
        return switch (state) {
            case INSTALLING, STARTING -> State.SETTLING;
            case RUNNING -> State.RUNNING;
            case LATE, REFUSED -> State.REFUSED;
            case DRAINING, STOPPING, STOPPED -> State.DRAINING;
            case GONE -> State.GONE;
        };
    }

    /** Sees to it that the best content of a name runs and nothing else of it; until it does, the best that runs stays. */
    private void choose(String name) {
        Optional<Content> best = contents.values().stream()
                .filter(content -> content.jar.name().equals(name) && content.isEligible())
                .max(Content.RANK);
        best.ifPresent(this::start);
        Optional<Copy> kept = copiesOf(name).stream()
                .filter(copy -> best.isPresent() && copy.is(CopyState.RUNNING))
                .max(Comparator.comparing((Copy copy) -> copy.content.isEligible())
                        .thenComparing(copy -> copy.content, Content.RANK));
        for (Copy copy : copiesOf(name)) {
            boolean superseded =
                    copy.is(CopyState.RUNNING) && kept.filter(copy::equals).isEmpty();
            boolean abandoned = copy.is(CopyState.REFUSED) && !copy.content.isPresent();
            if (superseded || abandoned) {
                copy.drain(now);
                effects.add(new DeployEffect.Hide(copy.number));
                effects.add(new DeployEffect.Stop(copy.number, false));
            }
        }
    }

    /** Has {@code content} running, unless it is or will be. */
    private void start(Content content) {
        for (Copy copy : copiesOf(content.jar.name())) {
            if (copy.content == content) {
                if (copy.is(CopyState.REFUSED)) {
                    copy.move(CopyState.STARTING);
                    effects.add(new DeployEffect.Start(copy.number));
                }
                if (copy.is(CopyState.INSTALLING, CopyState.STARTING, CopyState.RUNNING)) {
                    return;
                }
            }
        }
        Copy fresh = new Copy(copiesMade++, content);
        copies.put(fresh.number, fresh);
        effects.add(new DeployEffect.Install(fresh.number, content.jar.content()));
    }

    private List<Copy> copiesOf(String name) {
        return copies.values().stream()
                .filter(copy -> copy.content.jar.name().equals(name))
                .toList();
    }

    private void read(DroppedFile file) {
        file.reading();
        effects.add(new DeployEffect.Read(file.name, file.stamp()));
    }

    /** Files that are away for good; not while another one is written or read, which may be what replaces them. */
    private void removeMissed() {
        boolean writing = files.values().stream()
                .anyMatch(file -> file.missedLooks() == 0
                        && !file.isSettled()
                        && (file.phase() == DroppedFile.Phase.READING
                                || file.unchangedNanos(now) < INCOMPLETE_FOR.toNanos()));
        List<DroppedFile> away = files.values().stream()
                .filter(file -> !writing && file.missedLooks() >= MISSED_LOOKS)
                .toList();
        for (DroppedFile file : away) {
            files.remove(file.name);
            file.content().ifPresent(content -> leave(content, file.name));
        }
    }

    private void leave(Content content, String file) {
        content.remove(file);
        choose(content.jar.name());
        forgetIfUnused(content);
    }

    private void forgetIfUnused(Content content) {
        boolean used = content.isPresent() || copies.values().stream().anyMatch(copy -> copy.content == content);
        if (!used) {
            contents.remove(content.jar.content());
            effects.add(new DeployEffect.Discard(content.jar.content()));
        }
    }

    private void discardUnless(boolean known, String content) {
        if (!known) {
            effects.add(new DeployEffect.Discard(content));
        }
    }

    private void refuse(Content content, Refusal kind, String problem) {
        if (content.refuse(kind, problem)) {
            tell(true, content + ": " + problem);
        }
    }

    private void tell(boolean warning, String text) {
        effects.add(new DeployEffect.Tell(warning, text));
    }

    private List<DeployEffect> drainEffects() {
        List<DeployEffect> taken = List.copyOf(effects);
        effects.clear();
        return taken;
    }
}
