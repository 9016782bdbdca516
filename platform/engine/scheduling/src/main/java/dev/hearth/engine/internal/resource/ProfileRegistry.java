package dev.hearth.engine.internal.resource;

import dev.hearth.api.HearthException;
import dev.hearth.api.resource.ExecutorResourceRequest;
import dev.hearth.api.resource.ResourceProfile;
import dev.hearth.api.resource.TaskResourceRequest;
import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.ResourceRequest;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Quantity;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * The resource profiles of one application, with their ids. Equal profiles have one id. Threads of the application add
 * profiles, the driver's event loop reads them; guarded by its own lock. Invariant: a profile never changes, and an id
 * that was given out stays known.
 */
public final class ProfileRegistry {
    /** Bound on the profiles of one application. */
    static final int PROFILES_MAX = 1_000;

    private static final SettingKey<Boolean> MERGES = SettingKey.flag(
            "hearth.scheduler.resource.profileMergeConflicts",
            false,
            "Whether a stage whose datasets have different resource profiles gets a profile with the larger amount of"
                    + " each resource; otherwise its job is refused.");
    private static final SettingKey<Boolean> FOLLOWS_LOAD = ApplicationSettings.FOLLOWS_LOAD;
    public static final List<SettingKey<?>> KEYS = List.of(MERGES);

    private final Settings settings;
    private final TaskNeeds needs;
    private final boolean followsLoad;
    private final boolean inDriver;
    private final boolean merges;
    private final BiConsumer<Integer, ResourceProfile> added;
    private final Map<ResourceProfile, Entry> byRequests = new LinkedHashMap<>();
    private final Map<Integer, Entry> byId = new LinkedHashMap<>();
    private volatile List<TaskProfile> all; // immutable

    /** A profile with its id. {@code requests} is empty for the default profile. */
    private record Entry(Optional<ResourceProfile> requests, TaskProfile tasks, ExecutorProfile executors) {}

    /**
     * Creates a registry with the default profile alone, whose tasks have {@code needs}. {@code inDriver} says that the
     * one executor is in the driver's process. Calls {@code added} with each further profile and its id.
     */
    public ProfileRegistry(
            Settings settings, TaskNeeds needs, boolean inDriver, BiConsumer<Integer, ResourceProfile> added) {
        SettingsReader in = new SettingsReader(settings);
        this.settings = settings;
        this.needs = needs;
        this.followsLoad = in.read(FOLLOWS_LOAD);
        this.inDriver = inDriver;
        this.merges = in.read(MERGES);
        this.added = added;
        TaskProfile tasks = new TaskProfile(TaskProfile.DEFAULT_ID, TaskProfile.DEFAULT_ID, needs);
        byId.put(TaskProfile.DEFAULT_ID, new Entry(Optional.empty(), tasks, ExecutorProfile.read(in)));
        in.finish();
        all = List.of(tasks);
    }

    /**
     * Adds a profile of a dataset, unless it is known. Fails with {@code BAD_ARGUMENT} if its executors can never be
     * started, or could not hold one of its tasks.
     */
    public TaskProfile add(ResourceProfile profile) {
        synchronized (byRequests) {
            Entry known = byRequests.get(profile);
            if (known != null) {
                return known.tasks;
            }
            requireSupported(profile);
            if (byId.size() > PROFILES_MAX) {
                throw refused(
                        profile,
                        "is one more than " + PROFILES_MAX
                                + " (expected: at most that many); use the same profile again");
            }
            Entry entry = entry(byId.size(), profile);
            byRequests.put(profile, entry);
            byId.put(entry.tasks.id(), entry);
            all = byId.values().stream().map(Entry::tasks).toList();
            added.accept(entry.tasks.id(), profile);
            return entry.tasks;
        }
    }

    /** The profile of a stage whose datasets have the profiles {@code found}; the default one if they have none. */
    public TaskProfile ofStage(Collection<ResourceProfile> found) {
        Set<ResourceProfile> different = new LinkedHashSet<>(found);
        if (different.isEmpty()) {
            return TaskProfile.DEFAULT;
        }
        if (different.size() > 1 && !merges) {
            throw ErrorCode.BAD_ARGUMENT.failure("stage: its datasets have "
                    + Quantity.of(different.size(), "resource profile") + " "
                    + different.stream().map(ResourceProfile::toString).collect(Collectors.joining(" | ", "[", "]"))
                    + " (expected: one, or none); give them one profile, put a shuffle between them, or set " + MERGES
                    + "=true, which takes the larger amount of each resource");
        }
        return add(different.stream().reduce(ResourceProfile::merged).orElseThrow());
    }

    /**
     * The profile of the tasks that executors of a profile are for. Executors of an unknown profile, which only a defect of
     * a cluster manager reports, count as those of the default profile.
     */
    public TaskProfile tasks(ProfileId id) {
        return find(id).map(Entry::tasks).orElse(TaskProfile.DEFAULT);
    }

    /** All profiles, the default one first. */
    public List<TaskProfile> tasks() {
        return all;
    }

    /** Needs of each executor of a profile. Fails if the id is unknown. */
    public ExecutorProfile executors(ProfileId id) {
        return find(id).map(Entry::executors)
                .orElseThrow(() -> new IllegalArgumentException(
                        "profile " + id.value() + ": unknown (expected: the id of one that was added)"));
    }

    /** {@code base} with the requests of a profile in place of the settings of the same meaning. */
    public Settings overlaid(Settings base, ProfileId id) {
        return find(id).flatMap(Entry::requests)
                .map(profile -> overlaid(base, profile))
                .orElse(base);
    }

    public Settings settings() {
        return settings;
    }

    /** The settings of the application, {@link #overlaid}. */
    public Settings settings(ProfileId id) {
        return overlaid(settings, id);
    }

    private Optional<Entry> find(ProfileId id) {
        synchronized (byRequests) {
            return Optional.ofNullable(byId.get(id.value()));
        }
    }

    private void requireSupported(ResourceProfile profile) {
        if (profile.isTaskOnly()) {
            return;
        }
        if (inDriver) {
            throw refused(
                    profile,
                    "asks for executors, but the only executor is the process of the driver (expected: a cluster that"
                            + " starts executors: standalone, local-cluster, YARN or Kubernetes); name such a master, or"
                            + " ask for task resources alone");
        }
        if (!followsLoad) {
            throw refused(
                    profile,
                    "asks for executors while " + FOLLOWS_LOAD
                            + " is false (expected: true, because ResourceProfiles with"
                            + " executor resources are only supported with dynamic allocation enabled); set "
                            + FOLLOWS_LOAD + "=true, or ask for task resources alone");
        }
    }

    private Entry entry(int id, ResourceProfile profile) {
        Settings overlaid = overlaid(settings, profile);
        SettingsReader in = new SettingsReader(overlaid);
        ExecutorProfile read = ExecutorProfile.read(in);
        ExecutorProfile executors =
                new ExecutorProfile(new ProfileId(id), read.cores(), read.memory(), read.resources(), read.options());
        TaskNeeds asked = TaskNeeds.read(in);
        in.finish();
        requireOneTask(profile, asked, executors);
        boolean shares = profile.isTaskOnly() && !followsLoad;
        return new Entry(
                Optional.of(profile), new TaskProfile(id, shares ? TaskProfile.DEFAULT_ID : id, asked), executors);
    }

    private void requireOneTask(ResourceProfile profile, TaskNeeds asked, ExecutorProfile executors) {
        List<String> problems = new ArrayList<>();
        int cores = inDriver ? asked.cpus() : executors.cores().orElse(asked.cpus());
        if (asked.cpus() > cores) {
            problems.add("tasks need " + Quantity.of(asked.cpus(), "core") + ", executors have " + cores);
        }
        asked.amounts().forEach((name, amount) -> {
            ResourceRequest has = executors.resources().get(name);
            if (has == null) {
                problems.add("tasks need " + amount + " of " + name + ", for which executors have no request");
            } else if (amount > has.amount()) {
                problems.add("tasks need " + amount + " of " + name + ", executors have " + has.amount());
            }
        });
        if (!problems.isEmpty()) {
            throw refused(
                    profile,
                    "could run no task: " + String.join("; ", problems)
                            + " (expected: executors that can hold one task); ask for more per executor or less per task");
        }
    }

    private Settings overlaid(Settings given, ResourceProfile profile) {
        Map<String, String> values = new TreeMap<>();
        Settings base = withoutResources(given, "hearth.task.resource.");
        if (!profile.isTaskOnly()) {
            base = withoutResources(base, "hearth.executor.resource.");
            for (ExecutorResourceRequest request : profile.executorResources().values()) {
                switch (request.resourceName()) {
                    case ExecutorResourceRequest.CORES -> values.put("hearth.executor.cores", "" + request.amount());
                    case ExecutorResourceRequest.MEMORY -> values.put("hearth.executor.memory", request.amount() + "m");
                    case ExecutorResourceRequest.MEMORY_OVERHEAD ->
                        values.put("hearth.executor.memoryOverhead", request.amount() + "m");
                    default -> values.putAll(addresses(request));
                }
            }
        }
        values.put("hearth.task.cpus", String.valueOf(needs.cpus()));
        for (TaskResourceRequest request : profile.taskResources().values()) {
            if (request.resourceName().equals(TaskResourceRequest.CPUS)) {
                values.put("hearth.task.cpus", String.valueOf((long) request.amount()));
            } else {
                values.put(
                        "hearth.task.resource." + request.resourceName() + ".amount", TaskNeeds.text(request.amount()));
            }
        }
        return base.with("resource profile", values);
    }

    private static Map<String, String> addresses(ExecutorResourceRequest request) {
        String prefix = "hearth.executor.resource." + request.resourceName() + ".";
        Map<String, String> values = new TreeMap<>();
        values.put(prefix + "amount", String.valueOf(request.amount()));
        if (!request.discoveryScript().isEmpty()) {
            values.put(prefix + "discoveryScript", request.discoveryScript());
        }
        if (!request.vendor().isEmpty()) {
            values.put(prefix + "vendor", request.vendor());
        }
        return values;
    }

    private static Settings withoutResources(Settings from, String prefix) {
        Settings left = from;
        for (String key : from.keys()) {
            if (key.startsWith(prefix)) {
                left = left.without(key);
            }
        }
        return left;
    }

    private static HearthException refused(ResourceProfile profile, String found) {
        return ErrorCode.BAD_ARGUMENT.failure("resource profile [" + profile + "]: " + found);
    }
}
