package dev.hearth.kernel.internal.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.kernel.Deployer.Deployed;
import dev.hearth.spi.kernel.Deployer.State;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.osgi.framework.Version;

/** Simulated directory and framework: carries out effects of a {@link Deployment} and checks their preconditions. */
final class SimulatedHost implements DeployEffect.Performer {
    private static final Duration INTERVAL = Duration.ofMillis(250);
    private static final long WALL_MILLIS = 1_800_000_000_000L;

    final Deployment deployment;
    final List<String> told = new ArrayList<>();
    private final SortedMap<String, File> directory = new TreeMap<>();
    private final Map<Integer, String> contents = new LinkedHashMap<>(); // by installation, from install to refresh
    private final Map<Integer, String> running = new LinkedHashMap<>(); // started and neither hidden nor stopped
    private final Set<Integer> hidden = new TreeSet<>();
    private final Set<Integer> stopped = new TreeSet<>();
    private final Map<String, BundleJar> jars = new LinkedHashMap<>();
    private final Map<String, Set<String>> holders = new LinkedHashMap<>(); // by content
    private final Map<String, String> residents = new LinkedHashMap<>();
    private final Map<String, String> lacking = new LinkedHashMap<>();
    private final Map<String, String> wires = new LinkedHashMap<>();
    private final Map<String, Integer> installations = new LinkedHashMap<>();
    private final Set<String> hanging = new TreeSet<>(); // contents whose activators hang
    private final Map<Integer, Hang> hangs = new LinkedHashMap<>(); // by installation, starts and stops that hang
    private final Set<String> moments = new TreeSet<>(); // points in time at which an invariant was violated
    private final Deque<DeployEffect> queue = new ArrayDeque<>();
    private long now;
    private int writes;

    private record File(FileStamp stamp, String content) {}

    /** {@code answer}: the framework's result once the activator returns. */
    private record Hang(String content, long since, boolean late, Runnable answer) {}

    SimulatedHost(List<BundleJar> platform) {
        deployment = new Deployment(Duration.ofMinutes(10), Set.of("hearth-spi"), platform);
        for (BundleJar jar : platform) {
            jars.put(jar.content(), jar);
            contents.put(contents.size(), jar.content());
            running.put(running.size(), jar.content());
        }
    }

    void put(String file, String content, String name, String version) {
        if (!name.isEmpty()) {
            jars.put(content, new BundleJar(content, name, Version.parseVersion(version), rule(name)));
        }
        directory.put(file, new File(stamp(wallMillis()), content));
    }

    /** Bundles named late... start on demand, by their names; those named other... belong to another role. */
    private static StartRule rule(String name) {
        if (name.startsWith("other")) {
            return StartRule.never("it is for the roles [master]");
        }
        return name.startsWith("late")
                ? new StartRule(StartRule.Kind.ON_DEMAND, List.of(name), List.of(), "it waits for " + name)
                : StartRule.ALWAYS;
    }

    /** Triggers the bundles on demand named {@code name}; returns whether there were any. */
    boolean trigger(String name) {
        List<String> names = deployment.awaiting(triggers -> triggers.contains(name));
        perform(deployment.demand(names, now));
        return !names.isEmpty();
    }

    /** Adds a file and waits until it is processed. */
    void drop(String file, String content, String name, String version) {
        drop(file, content, name, version, Duration.ZERO);
    }

    void drop(String file, String content, String name, String version, Duration age) {
        put(file, content, name, version);
        age(file, age);
        scan();
        scan();
    }

    void age(String file, Duration age) {
        directory.computeIfPresent(
                file, (name, known) -> new File(stamp(wallMillis() - age.toMillis()), known.content));
    }

    void touch(String file) {
        age(file, Duration.ZERO);
    }

    void delete(String file) {
        directory.remove(file);
    }

    void remove(String file) {
        delete(file);
        scan();
        scan();
    }

    void scan() {
        now += INTERVAL.toNanos();
        SortedMap<String, FileStamp> stamps = new TreeMap<>();
        directory.forEach((name, file) -> stamps.put(name, file.stamp));
        perform(deployment.scan(stamps, wallMillis(), now));
        tick();
    }

    void tick() {
        new TreeMap<>(hangs).forEach((copy, hang) -> {
            if (!hang.late && now - hang.since >= DirectoryDeployer.ACTIVATION_BOUND.toNanos()) {
                hangs.put(copy, new Hang(hang.content, hang.since, true, hang.answer));
                perform(deployment.late(copy, DirectoryDeployer.ACTIVATION_BOUND, now));
            }
        });
        perform(deployment.tick(now));
    }

    void pass(Duration time) {
        now += time.toNanos();
        tick();
        tick();
    }

    void use(String content, String holder) {
        holders.computeIfAbsent(content, key -> new LinkedHashSet<>()).add(holder);
    }

    void resident(String content, String holder) {
        residents.put(content, holder);
    }

    void release(String content, String holder) {
        holders.getOrDefault(content, new LinkedHashSet<>()).remove(holder);
    }

    /** Makes its activator hang in start and stop. */
    void hang(String content) {
        hanging.add(content);
    }

    /** Makes its activator return, also one that hangs now. */
    void unhang(String content) {
        hanging.remove(content);
        List<Integer> ended = hangs.entrySet().stream()
                .filter(entry -> entry.getValue().content.equals(content))
                .map(Map.Entry::getKey)
                .toList();
        for (int copy : ended) {
            hangs.remove(copy).answer.run();
            perform(List.of());
        }
    }

    void letAllGo() {
        jars.keySet().forEach(this::unhang);
        holders.clear();
        wires.clear();
    }

    void lacks(String content, String name) {
        lacking.put(content, name);
    }

    void wire(String content, String user) {
        wires.put(content, user);
    }

    void unwire(String content) {
        wires.remove(content);
    }

    List<String> running() {
        return running.values().stream()
                .map(content -> jars.get(content).toString())
                .toList();
    }

    List<String> installedContents() {
        return List.copyOf(new TreeSet<>(contents.values()));
    }

    long copiesOf(String content) {
        return contents.values().stream().filter(content::equals).count();
    }

    int installs(String content) {
        return installations.getOrDefault(content, 0);
    }

    boolean never(String moment) {
        return !moments.contains(moment);
    }

    Deployed shown(String content) {
        return deployment.deployed().stream()
                .filter(entry -> entry.content().equals(content))
                .findFirst()
                .orElseThrow();
    }

    State state(String file) {
        List<Deployed> entries = deployment.deployed().stream()
                .filter(entry -> entry.file().equals(file))
                .toList();
        return entries.get(entries.size() - 1).state();
    }

    /** Performs one random event. */
    void anything(Random random) {
        String name = List.of("n0", "n1", "n2", "late", "other").get(random.nextInt(5));
        String version = (1 + random.nextInt(4)) + ".0";
        String content = name + " " + version + " build " + random.nextInt(2);
        String file = "file-" + random.nextInt(5) + ".jar";
        switch (random.nextInt(13)) {
            case 0, 1 -> put(file, content, name, version);
            case 2 -> delete(file);
            case 3 -> put(file, "rubbish " + random.nextInt(3), "", "");
            case 4 -> use(content, "application " + random.nextInt(3));
            case 5 -> holders.remove(content);
            case 6 -> lacks(content, "n" + random.nextInt(3));
            case 7 -> lacking.remove(content);
            case 8 -> wires.put(content, "bundle user");
            case 9 -> hang(content);
            case 10 -> unhang(content);
            case 11 -> trigger("late");
            default -> wires.remove(content);
        }
        for (int i = random.nextInt(3); i >= 0; i--) {
            scan();
        }
        if (random.nextInt(20) == 0) {
            pass(Duration.ofMinutes(6));
        }
    }

    /** Invariants at any time: at most one of a name runs, and everything listed has a state. */
    void check() {
        List<String> names = running.values().stream()
                .map(content -> jars.get(content).name())
                .toList();
        assertEquals(names.size(), new TreeSet<>(names).size(), () -> "running " + names);
        assertTrue(names.stream().noneMatch(name -> name.startsWith("other")), () -> "running " + names);
        for (Deployed entry : deployment.deployed()) {
            assertTrue(
                    entry.state() != State.RUNNING || running.containsValue(entry.content()),
                    () -> entry + " is not among " + running);
        }
    }

    /** Final state: per name the best that can start runs, and nothing drains. */
    void checkSettled() {
        check();
        assertTrue(deployment.isSettled());
        SortedMap<String, Version> best = new TreeMap<>();
        for (Deployed entry : deployment.deployed()) {
            assertTrue(entry.state() != State.DRAINING && entry.state() != State.SETTLING, entry::toString);
            if (entry.state() == State.RUNNING || entry.state() == State.SUPERSEDED) {
                best.merge(
                        entry.name(),
                        Version.parseVersion(entry.version()),
                        (one, other) -> one.compareTo(other) > 0 ? one : other);
            }
        }
        SortedMap<String, Version> found = new TreeMap<>();
        running.values().stream()
                .map(jars::get)
                .filter(jar -> !jar.content().startsWith("platform"))
                .forEach(jar -> found.put(jar.name(), jar.version()));
        assertEquals(best, found);
        Set<String> offered = new TreeSet<>();
        directory.values().stream()
                .map(file -> file.content)
                .filter(jars::containsKey)
                .forEach(offered::add);
        for (String content : running.values()) {
            assertTrue(
                    offered.contains(content) || content.startsWith("platform") || keptByRubbish(),
                    () -> content + " is in no file");
        }
    }

    private boolean keptByRubbish() { // runs although its file was corrupted later
        return directory.values().stream().anyMatch(file -> !jars.containsKey(file.content));
    }

    private void perform(List<DeployEffect> effects) {
        queue.addAll(effects);
        for (DeployEffect effect = queue.poll(); effect != null; effect = queue.poll()) {
            Set<String> before = names();
            effect.perform(this);
            before.removeAll(names());
            before.forEach(lost -> moments.add("no " + lost));
        }
    }

    private Set<String> names() {
        Set<String> names = new TreeSet<>();
        running.values().forEach(content -> names.add(jars.get(content).name()));
        return names;
    }

    @Override
    public void onRead(DeployEffect.Read effect) {
        File file = directory.get(effect.file());
        BundleJar jar = file == null ? null : jars.get(file.content);
        if (jar == null) {
            queue.addAll(deployment.unusable(effect.file(), effect.stamp(), "no complete jar", true, now));
        } else {
            queue.addAll(deployment.read(effect.file(), effect.stamp(), jar, now));
        }
    }

    @Override
    public void onInstall(DeployEffect.Install effect) {
        assertTrue(contents.putIfAbsent(effect.copy(), effect.content()) == null, "a number was used twice");
        installations.merge(effect.content(), 1, Integer::sum);
        queue.addAll(deployment.installed(effect.copy(), now));
    }

    @Override
    public void onStart(DeployEffect.Start effect) {
        answer(effect.copy(), () -> start(effect));
    }

    /** Completes at once, or when its activator returns. */
    private void answer(int copy, Runnable answer) {
        String content = contents.get(copy);
        if (hanging.contains(content)) {
            assertTrue(hangs.put(copy, new Hang(content, now, false, answer)) == null, "two activations of one copy");
        } else {
            answer.run();
        }
    }

    private void start(DeployEffect.Start effect) {
        String content = contents.get(effect.copy());
        String missing = lacking.getOrDefault(content, "");
        boolean there = missing.isEmpty()
                || contents.values().stream()
                        .anyMatch(other -> jars.get(other).name().equals(missing));
        if (there) {
            running.put(effect.copy(), content);
            queue.addAll(deployment.started(effect.copy(), now));
        } else {
            queue.addAll(deployment.notStarted(effect.copy(), "lacks " + missing, true, now));
        }
    }

    @Override
    public void onStop(DeployEffect.Stop effect) {
        String content = contents.get(effect.copy());
        assertTrue(hidden.contains(effect.copy()), "stopped before it was hidden");
        Set<String> users = holders.getOrDefault(content, Set.of());
        String resident = residents.get(content);
        if (resident != null) {
            queue.addAll(deployment.held(effect.copy(), List.of(resident), true, now));
        } else if (!users.isEmpty() && !effect.byForce()) {
            queue.addAll(deployment.held(effect.copy(), List.copyOf(users), false, now));
        } else {
            assertTrue(stopped.add(effect.copy()), "stopped twice");
            List<String> forced = List.copyOf(users);
            queue.addAll(deployment.stopping(effect.copy(), now));
            answer(effect.copy(), () -> queue.addAll(deployment.stopped(effect.copy(), forced, now)));
        }
    }

    @Override
    public void onRefresh(DeployEffect.Refresh effect) {
        String content = contents.get(effect.copy());
        String user = wires.get(content);
        if (user != null) {
            queue.addAll(deployment.wired(effect.copy(), List.of(user), now));
        } else {
            contents.remove(effect.copy());
            queue.addAll(deployment.gone(effect.copy(), now));
        }
    }

    @Override
    public void onHide(DeployEffect.Hide effect) {
        running.remove(effect.copy());
        hidden.add(effect.copy());
    }

    @Override
    public void onDiscard(DeployEffect.Discard effect) {
        assertTrue(
                !contents.containsValue(effect.content())
                        && directory.values().stream()
                                .noneMatch(file -> file.content.equals(effect.content())
                                        && deployment.deployed().stream()
                                                .anyMatch(
                                                        entry -> entry.content().equals(effect.content()))),
                "discarded while it is needed");
    }

    @Override
    public void onMessage(DeployEffect.LogMessage effect) {
        told.add(effect.text());
    }

    private FileStamp stamp(long modifiedMillis) {
        return new FileStamp(++writes, modifiedMillis, "inode");
    }

    private long wallMillis() {
        return WALL_MILLIS + Duration.ofNanos(now).toMillis();
    }
}
