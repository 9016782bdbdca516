package dev.hearth.kubernetes.internal.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hearth.testkit.Simulation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * API server in virtual time, with a scheduler, kubelets and a garbage collector, and with faults. Its clients see
 * delayed, lost and repeated answers, broken watches and old versions as of a real one. Owned by a simulation.
 */
public final class SimulatedApiServer implements ApiServer {
    /** Container of pods that kubelets report on. */
    public static final String CONTAINER = "spark-kubernetes-executor";

    private final Simulation simulation;
    private final Map<String, StoredObject> objects = new TreeMap<>();
    private final Set<String> existingUids = new HashSet<>(); // asked, never iterated
    private final Set<String> ownerUids = new HashSet<>(); // of all objects, also of those that are gone
    private final LabelSelectors selectors = new LabelSelectors();
    private final SimulatedWatches watches;
    private final SimulatedKubelets kubelets;
    private final List<String> posts = new ArrayList<>();
    private final List<String> sharing = new ArrayList<>();
    private final List<Answer> lostAnswers = new ArrayList<>(); // their requests had effect
    private int uids;
    private int deletionRequests;
    private int lists;

    /** Faults and times; tests change them while the simulation runs. */
    public Duration delay = Duration.ofMillis(20);

    public double faultRate;
    public boolean away;
    public int quota = Integer.MAX_VALUE;
    public boolean schedulable = true;
    public boolean imageExists = true;
    /** Exit status with which executors end as soon as they run; negative for executors that run on. */
    public int endsAtOnceWith = -1;

    public Optional<Answer.Refused> refusal = Optional.empty();
    /** Refusals of requests for objects that are no pods. */
    public final Map<Resource, Answer.Refused> refusals = new EnumMap<>(Resource.class);
    /** Refusals of patches of objects. */
    public final Map<Resource, Answer.Refused> refusedPatches = new EnumMap<>(Resource.class);
    /** Difference of the server's clock to the virtual time. */
    public Duration clockSkew = Duration.ofDays(10_000);
    /** Whether the garbage collector runs. */
    public boolean collects = true;
    /** Asked at each request whether it arrives. */
    public BooleanSupplier admission = () -> true;
    /** Number of requests, watches excepted. */
    public int requests;

    /** Refusals of lists. */
    public final Map<Resource, Answer.Refused> listRefusals = new EnumMap<>(Resource.class);

    public String serverVersion = "1.30";
    /** Reads the end of the log of a container. */
    public String log = "";

    public SimulatedApiServer(Simulation simulation) {
        this.simulation = simulation;
        this.watches = new SimulatedWatches(this, simulation, selectors);
        this.kubelets = new SimulatedKubelets(this, simulation);
    }

    /** Names of the objects that were requested, in order, with repetitions. */
    public List<String> posts() {
        return posts;
    }

    /** Number of objects that exist. */
    public int size() {
        return objects.size();
    }

    /** Grows with each change of an object. */
    public long version() {
        return watches.version();
    }

    public int deletionRequests() {
        return deletionRequests;
    }

    public int lists() {
        return lists;
    }

    /** Names of all pods that exist and match {@code selector}. */
    public List<String> pods(String selector) {
        return names(Resource.POD, selector);
    }

    /** Names of all objects of a kind that exist and match {@code selector}. */
    public List<String> names(Resource resource, String selector) {
        return objects.values().stream()
                .filter(stored -> stored.object.resource() == resource)
                .filter(stored -> selectors.matches(selector, stored.object.labels()))
                .map(stored -> stored.object.name())
                .toList();
    }

    /** Names of the claims that a pod mounts. */
    public Set<String> mountedBy(String pod) {
        return stored(Resource.POD, pod).mounted;
    }

    /** Pods that were created with a claim of another pod that had not ended. */
    public List<String> sharing() {
        return sharing;
    }

    /** Number of claims that match {@code selector} and are not being deleted. */
    public long claims(String selector) {
        return names(Resource.PERSISTENT_VOLUME_CLAIM, selector).stream()
                .filter(this::isBindable)
                .count();
    }

    /** Removes a claim although a pod may have it. */
    public void removeClaim(String name) {
        drop(key(Resource.PERSISTENT_VOLUME_CLAIM, name));
    }

    /** Deletes a claim as another user does. */
    public void deleteClaim(String name) {
        remove(Resource.PERSISTENT_VOLUME_CLAIM, name, 0);
    }

    /** Whether a claim exists and is not being deleted. */
    boolean isBindable(String claim) {
        StoredObject stored = objects.get(key(Resource.PERSISTENT_VOLUME_CLAIM, claim));
        return stored != null && !stored.deleting;
    }

    private boolean isMounted(String claim) {
        return objects.values().stream().anyMatch(stored -> stored.mounts(claim));
    }

    /** Names of pods that run and are not being deleted. */
    public List<String> running(String selector) {
        return pods(selector).stream()
                .filter(name -> {
                    PodFacts pod = stored(Resource.POD, name).pod;
                    return pod.phase().equals("Running") && !pod.deleting();
                })
                .toList();
    }

    /** Names of all objects that exist. */
    public List<String> names() {
        return objects.values().stream().map(stored -> stored.object.name()).toList();
    }

    /** Labels of an object, as patches have changed them. */
    public Map<String, String> labelsOf(Resource resource, String name) {
        return stored(resource, name).labels;
    }

    /** Annotations of Hearth of an object. */
    public Map<String, String> annotationsOf(Resource resource, String name) {
        return stored(resource, name).annotations;
    }

    /** Gives an object a new version, as a change of another client does. */
    public void touch(Resource resource, String name) {
        watches.publish(stored(resource, name), false);
    }

    /** Uid of an object. */
    public String uidOf(Resource resource, String name) {
        return stored(resource, name).uid;
    }

    /** Removes an object at once, as another user does; {@code orphans} leaves what it owns, without an owner. */
    public void deleteByStranger(Resource resource, String name, boolean orphans) {
        String uid = stored(resource, name).uid;
        if (orphans) {
            objects.values().stream()
                    .filter(stored -> stored.ownerUid.equals(Optional.of(uid)))
                    .forEach(stored -> stored.ownerUid = Optional.empty());
        }
        drop(key(resource, name));
    }

    public Optional<String> ownerOf(Resource resource, String name) {
        return stored(resource, name).ownerUid;
    }

    public boolean exists(Resource resource, String name) {
        return objects.containsKey(key(resource, name));
    }

    public Optional<ApiObject> object(Resource resource, String name) {
        return Optional.ofNullable(objects.get(key(resource, name))).map(stored -> stored.object);
    }

    /** Changes the state of a pod, as a kubelet or the scheduler does. */
    public void change(String pod, UnaryOperator<PodFacts> change) {
        StoredObject stored = objects.get(key(Resource.POD, pod));
        if (stored != null) {
            stored.pod = change.apply(stored.pod);
            watches.publish(stored, false);
        }
    }

    /** Ends the container of a pod. */
    public void end(String pod, int exitStatus, String reason) {
        change(
                pod,
                facts -> facts.in(
                        exitStatus == 0 ? "Succeeded" : "Failed",
                        ContainerFacts.ended(
                                SimulatedKubelets.container(stored(Resource.POD, pod)), exitStatus, reason, "")));
    }

    /** Deletes a pod as another user does. */
    public void deleteByStranger(String pod, int graceSeconds) {
        remove(Resource.POD, pod, graceSeconds);
    }

    /** Removes a pod without any trace but the event. */
    public void vanish(String pod) {
        drop(key(Resource.POD, pod));
    }

    /** Forgets all versions before the current one, so that watches from them end with 410. */
    public void compact() {
        watches.compact();
    }

    /** Breaks all watches. */
    public void breakWatches(Answer why) {
        watches.endAll(why);
    }

    @Override
    public String namespace() {
        return "default";
    }

    @Override
    public void create(ApiObject object, Consumer<Answer> answer) {
        posts.add(object.name());
        request(() -> created(object), answer);
    }

    @Override
    public void delete(
            Resource resource, String name, Optional<String> uid, OptionalInt graceSeconds, Consumer<Answer> answer) {
        deletionRequests++;
        request(
                () -> {
                    StoredObject stored = objects.get(key(resource, name));
                    if (stored == null) {
                        return new Answer.Missing();
                    }
                    if (uid.isPresent() && !uid.get().equals(stored.uid)) {
                        return new Answer.Refused(RefusalKind.CONFLICT, "another uid");
                    }
                    remove(resource, name, graceSeconds.orElse(30));
                    return new Answer.Done(Optional.empty());
                },
                answer);
    }

    @Override
    public void deleteUnchanged(Resource resource, ObjectFacts seen, Consumer<Answer> answer) {
        deletionRequests++;
        request(
                () -> {
                    StoredObject stored = objects.get(key(resource, seen.name()));
                    if (stored == null) {
                        return new Answer.Missing();
                    }
                    if (!stored.uid.equals(seen.uid()) || stored.conflictsWith(seen.version())) {
                        return new Answer.Refused(RefusalKind.CONFLICT, "the object has been modified");
                    }
                    remove(resource, seen.name(), 30);
                    return new Answer.Done(Optional.empty());
                },
                answer);
    }

    @Override
    public void deleteAll(Resource resource, String selector, OptionalInt graceSeconds, Consumer<Answer> answer) {
        deletionRequests++;
        request(
                () -> {
                    names(resource, selector).forEach(name -> remove(resource, name, graceSeconds.orElse(30)));
                    return new Answer.Done(Optional.empty());
                },
                answer);
    }

    @Override
    public void patch(Resource resource, String name, String patch, Consumer<Answer> answer) {
        request(() -> patched(resource, name, patch), answer);
    }

    private Answer patched(Resource resource, String name, String patch) {
        StoredObject stored = objects.get(key(resource, name));
        if (stored == null) {
            return new Answer.Missing();
        }
        Answer.Refused refused = refusedPatches.get(resource);
        if (refused != null) {
            return refused;
        }
        JsonNode metadata = StoredObject.read(patch).path("metadata");
        if (stored.conflictsWith(metadata.path("resourceVersion").asText())) {
            return new Answer.Refused(RefusalKind.CONFLICT, "the object has been modified");
        }
        stored.patch(metadata);
        stored.ownerUid.ifPresent(this::owns);
        watches.publish(stored, false);
        return new Answer.Done(Optional.of(stored.facts()));
    }

    @Override
    public void read(Resource resource, String name, Consumer<Answer> answer) {
        request(
                () -> exists(resource, name)
                        ? new Answer.Done(Optional.of(stored(resource, name).facts()))
                        : new Answer.Missing(),
                answer);
    }

    @Override
    public void list(Resource resource, String selector, String next, Consumer<Answer> answer) {
        lists++;
        request(() -> page(resource, selector, next), answer);
    }

    @Override
    public Watch watch(Resource resource, String selector, String from, WatchListener listener) {
        return watches.watch(resource, selector, from, listener);
    }

    @Override
    public void logTail(String pod, String container, int bytesMax, Consumer<Answer> answer) {
        request(() -> new Answer.Text(log), answer);
    }

    @Override
    public void version(Consumer<Answer> answer) {
        request(() -> new Answer.Text(serverVersion), answer);
    }

    @Override
    public ForwardedPort forward(String pod, int port) throws IOException {
        throw new IOException("port " + port + " of pod " + pod + ": refused (expected: a real cluster)");
    }

    @Override
    public void close() {
        // the server outlives its clients
    }

    private long seconds() {
        return simulation.elapsed().plus(clockSkew).toSeconds();
    }

    private void request(Supplier<Answer> effect, Consumer<Answer> answer) {
        requests++;
        if (!admission.getAsBoolean()) {
            return; // its sender has died
        }
        if (away) {
            simulation.schedule(Duration.ofMillis(100), () -> answer.accept(new Answer.Unknown("connection refused")));
            return;
        }
        double fate = simulation.random().nextDouble();
        Duration way = random(delay);
        if (fate < faultRate) {
            simulation.schedule(Duration.ofSeconds(10), () -> answer.accept(new Answer.Unknown("timed out")));
        } else if (fate < 2 * faultRate) {
            simulation.schedule(way, () -> lostAnswers.add(effect.get()));
            simulation.schedule(Duration.ofSeconds(10), () -> answer.accept(new Answer.Unknown("no answer")));
        } else if (fate < 3 * faultRate) {
            simulation.schedule(
                    way,
                    () -> answer.accept(
                            new Answer.Refused(RefusalKind.THROTTLED, "too many requests", Duration.ofSeconds(2))));
        } else if (fate < 4 * faultRate) {
            simulation.schedule(
                    way, () -> answer.accept(new Answer.Refused(RefusalKind.SERVER, "etcd leader changed")));
        } else {
            simulation.schedule(way, () -> {
                Answer made = effect.get();
                simulation.schedule(delay.minus(way), () -> answer.accept(made));
            });
        }
    }

    private Answer created(ApiObject object) {
        String key = key(object.resource(), object.name());
        if (objects.containsKey(key)) {
            return new Answer.Exists(objects.get(key).facts());
        }
        Answer.Refused refused = refusals.get(object.resource());
        if (refused != null) {
            return refused;
        }
        if (object.resource() == Resource.POD) {
            if (refusal.isPresent()) {
                return refusal.get();
            }
            long live = quota == Integer.MAX_VALUE
                    ? 0
                    : objects.values().stream()
                            .filter(stored -> stored.object.resource() == Resource.POD && !stored.pod.isTerminal())
                            .count();
            if (live >= quota) {
                return new Answer.Refused(RefusalKind.QUOTA, "exceeded quota: pods=" + quota);
            }
        }
        StoredObject stored = new StoredObject(object, "uid-" + ++uids, seconds());
        if (stored.mounted.stream().anyMatch(this::isMounted)) {
            sharing.add(object.name());
        }
        objects.put(key, stored);
        existingUids.add(stored.uid);
        watches.publish(stored, false);
        object.ownerUid().ifPresent(this::owns);
        if (object.resource() == Resource.POD) {
            kubelets.schedule(object.name(), stored);
        }
        return new Answer.Done(Optional.of(stored.facts()));
    }

    private Answer page(Resource resource, String selector, String next) {
        if (listRefusals.containsKey(resource)) {
            return listRefusals.get(resource);
        }
        List<ObjectFacts> found = objects.values().stream()
                .filter(stored -> stored.object.resource() == resource)
                .filter(stored -> selectors.matches(selector, stored.labels))
                .map(StoredObject::facts)
                .toList();
        String latest = String.valueOf(watches.version());
        int from = 0;
        if (!next.isEmpty()) {
            String[] parts = next.split("@", 2);
            from = Integer.parseInt(parts[0]);
            latest = parts[1];
            if (Long.parseLong(latest) != watches.version()) {
                return new Answer.Refused(RefusalKind.GONE, "the continue token has expired");
            }
        }
        int to = Math.min(found.size(), from + PAGE_MAX);
        String more = to < found.size() ? to + "@" + latest : "";
        return new Answer.Page(found.subList(from, to), latest, more, seconds());
    }

    private void remove(Resource resource, String name, int graceSeconds) {
        String key = key(resource, name);
        StoredObject stored = objects.get(key);
        if (stored == null) {
            return;
        }
        if (resource == Resource.PERSISTENT_VOLUME_CLAIM && isMounted(name)) {
            stored.deleting = true; // until no pod has it
            watches.publish(stored, false);
        } else if (resource != Resource.POD
                || stored.pod.isTerminal()
                || !stored.pod.isScheduled()
                || graceSeconds == 0) {
            drop(key);
        } else if (!stored.pod.deleting()) {
            stored.pod = stored.pod.deletingWithin(graceSeconds);
            watches.publish(stored, false);
            simulation.schedule(random(Duration.ofSeconds(Math.min(2, graceSeconds))), () -> {
                if (objects.get(key) == stored) {
                    drop(key);
                }
            });
        }
    }

    private void drop(String key) {
        StoredObject stored = objects.remove(key);
        if (stored != null) {
            existingUids.remove(stored.uid);
            watches.publish(stored, true);
            collectLate(stored.uid);
            stored.mounted.stream()
                    .filter(claim -> !isBindable(claim))
                    .forEach(claim -> drop(key(Resource.PERSISTENT_VOLUME_CLAIM, claim)));
        }
    }

    private void owns(String owner) {
        ownerUids.add(owner);
        collectLate(owner);
    }

    /** Deletes what the object with that uid owns, if it does not exist; the garbage collector is late. */
    private void collectLate(String owner) {
        simulation.schedule(Duration.ofSeconds(1), () -> {
            if (collects && !existingUids.contains(owner) && ownerUids.contains(owner)) {
                collect(owner);
            }
        });
    }

    private void collect(String owner) {
        List<ApiObject> orphans = objects.values().stream()
                .filter(stored -> stored.ownerUid.equals(Optional.of(owner)))
                .map(stored -> stored.object)
                .toList();
        orphans.forEach(orphan -> remove(orphan.resource(), orphan.name(), 30));
    }

    private StoredObject stored(Resource resource, String name) {
        StoredObject stored = objects.get(key(resource, name));
        if (stored == null) {
            throw new IllegalStateException(resource + " " + name + ": missing (expected: an object)");
        }
        return stored;
    }

    /** Whether {@code stored} exists, and not a later object of its name. */
    boolean holds(StoredObject stored) {
        return objects.get(key(stored.object.resource(), stored.object.name())) == stored;
    }

    Duration random(Duration most) {
        return Duration.ofNanos(simulation.random().nextLong(most.toNanos() + 1));
    }

    private static String key(Resource resource, String name) {
        return resource + "/" + name;
    }

    /** Labels of an object, in their order. */
    public static Map<String, String> labels(String... pairs) {
        Map<String, String> labels = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            labels.put(pairs[i], pairs[i + 1]);
        }
        return labels;
    }
}
