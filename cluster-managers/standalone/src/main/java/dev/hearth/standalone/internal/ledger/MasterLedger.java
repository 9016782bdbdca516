package dev.hearth.standalone.internal.ledger;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Facts that a master must not forget. Changes by {@link #apply} alone, so that the facts of a log, or a {@link #snapshot} and the
 * facts after it, lead to an equal ledger. Of each driver it keeps the facts that still matter. Owned by the master.
 */
public final class MasterLedger {
    private static final DriverSpec NOTHING = new DriverSpec("", "", "", List.of(), Map.of(), 1, 1);

    private final Bounds bounds;
    private final Applier applier = new Applier();
    private final Map<SubmissionId, Kept> drivers = new LinkedHashMap<>(); // in the order of their submission
    private final Map<SubmissionId, Kept> forgotten = new LinkedHashMap<>(); // whose requests are still known
    private final Set<SubmissionId> closed = new LinkedHashSet<>(); // in the order of their ends
    private final Set<SubmissionId> withOutput = new LinkedHashSet<>(); // the last ones of them
    private final Successions successions = new Successions();
    private final Map<ApplicationId, Integer> executorIds = new LinkedHashMap<>(); // the first that was never used
    private Fact.EpochBegun epoch = new Fact.EpochBegun(0, "", 0);
    private int submissions;
    private int applications;
    private long wallMillis;

    /** Outputs of ended drivers and requests of forgotten ones that are kept, and the age of the latter. */
    public record Bounds(int outputs, int requests, Duration requestAge) {}

    public MasterLedger(Bounds bounds) {
        this.bounds = bounds;
    }

    /** A driver: how it was taken, and what matters of all that followed, in order. */
    public record Kept(Fact.DriverTaken taken, List<Fact> later, boolean isForgotten) {
        private Kept with(Fact fact, Class<?>... replaced) {
            List<Fact> left = new ArrayList<>(later);
            for (Class<?> type : replaced) {
                left.removeIf(type::isInstance);
            }
            left.add(fact);
            return new Kept(taken, List.copyOf(left), isForgotten);
        }

        private Stream<Fact> ends() {
            return later.stream().filter(Fact.DriverClosed.class::isInstance);
        }

        private Kept of(DriverSpec spec) {
            return new Kept(
                    new Fact.DriverTaken(taken.id(), taken.request(), spec, taken.wallMillis()), later, isForgotten);
        }
    }

    public void apply(Fact fact) {
        fact.accept(applier);
    }

    public long epoch() {
        return epoch.epoch();
    }

    /** Name of the log, by which workers and applications know it; empty before the first master. */
    public String cluster() {
        return epoch.cluster();
    }

    /** The number from which on no executor of {@code application} was ever started; empty for an unknown application. */
    public OptionalInt executorIds(ApplicationId application) {
        Integer below = executorIds.get(application);
        return below == null ? OptionalInt.empty() : OptionalInt.of(below);
    }

    /** Applications with executors that have not ended. */
    public List<ApplicationId> openApplications() {
        return List.copyOf(executorIds.keySet());
    }

    /** Number of submissions that have got ids. */
    public int submissions() {
        return submissions;
    }

    /** Number of applications that have got ids. */
    public int applications() {
        return applications;
    }

    /** The latest time in a fact, in milliseconds since 1970. */
    public long wallMillis() {
        return wallMillis;
    }

    /** Age of what was so at {@code then}, a time in a fact, as of the latest fact: the time for which masters have led since. */
    public long ageMillis(long then) {
        return successions.ledMillis(then, wallMillis);
    }

    /** The drivers whose requests are known, in the order of their submission; the forgotten ones first. */
    public List<Kept> drivers() {
        List<Kept> all = new ArrayList<>(forgotten.values());
        all.addAll(drivers.values());
        return all;
    }

    /** The fewest facts that lead to an equal ledger. */
    public List<Fact> snapshot() {
        List<Fact> facts = successions.facts(epoch);
        facts.add(new Fact.NumbersUsed(submissions, applications, wallMillis));
        executorIds.forEach((application, below) -> facts.add(new Fact.ExecutorIdsReserved(application, below)));
        forgotten.values().forEach(kept -> {
            facts.add(kept.taken());
            facts.addAll(kept.later());
            facts.add(new Fact.DriversForgotten(List.of(kept.taken().id())));
        });
        drivers.values().forEach(kept -> {
            facts.add(kept.taken());
            kept.later().stream()
                    .filter(fact -> !(fact instanceof Fact.DriverClosed))
                    .forEach(facts::add);
        });
        for (SubmissionId id : closed) {
            Objects.requireNonNull(drivers.get(id)).ends().forEach(facts::add);
        }
        return facts;
    }

    /** The oldest requests that may be forgotten at {@code now}, a time in milliseconds since 1970; two at most. */
    public List<SubmissionId> requestsToForget(long now) {
        return forgotten.values().stream()
                .limit(2) // so that they vanish in time if this is asked for each new request
                .filter(kept -> drivers.size() + forgotten.size() > bounds.requests()
                        || successions.ledMillis(kept.taken().wallMillis(), now)
                                > bounds.requestAge().toMillis())
                .map(kept -> kept.taken().id())
                .toList();
    }

    private void change(SubmissionId id, Fact fact, Class<?>... replaced) {
        drivers.computeIfPresent(id, (known, kept) -> kept.with(fact, replaced));
    }

    private void passed(long millis) {
        wallMillis = Math.max(wallMillis, millis);
    }

    private final class Applier implements Fact.Handler {
        @Override
        public void onEpoch(Fact.EpochBegun fact) {
            epoch = fact;
            successions.add(wallMillis, fact);
            passed(fact.wallMillis());
        }

        @Override
        public void onNumbers(Fact.NumbersUsed fact) {
            submissions = Math.max(submissions, fact.submissions());
            applications = Math.max(applications, fact.applications());
            passed(fact.wallMillis());
        }

        @Override
        public void onTaken(Fact.DriverTaken fact) {
            drivers.put(fact.id(), new Kept(fact, List.of(), false));
            passed(fact.wallMillis());
        }

        @Override
        public void onPlaced(Fact.DriverPlaced fact) {
            change(fact.id(), fact, Fact.DriverPlaced.class, Fact.DriverBackedOff.class, Fact.DriverLeft.class);
            passed(fact.wallMillis());
        }

        @Override
        public void onBackedOff(Fact.DriverBackedOff fact) {
            change(fact.id(), fact, Fact.DriverBackedOff.class);
        }

        @Override
        public void onLeft(Fact.DriverLeft fact) {
            change(fact.id(), fact, Fact.DriverPlaced.class, Fact.DriverBackedOff.class, Fact.DriverLeft.class);
        }

        @Override
        public void onKillAsked(Fact.DriverKillAsked fact) {
            Kept kept = drivers.get(fact.id());
            if (kept != null && !kept.later().contains(fact)) {
                change(fact.id(), fact);
            }
        }

        @Override
        public void onClosed(Fact.DriverClosed fact) {
            Kept kept = drivers.get(fact.id());
            if (kept != null) {
                drivers.put(
                        fact.id(),
                        kept.of(kept.taken().spec().summary())
                                .with(
                                        fact,
                                        Fact.DriverBackedOff.class,
                                        Fact.DriverLeft.class,
                                        Fact.DriverKillAsked.class,
                                        Fact.DriverClosed.class));
                closed.add(fact.id());
                withOutput.add(fact.id());
                if (withOutput.size() > bounds.outputs()) {
                    SubmissionId first = withOutput.iterator().next();
                    withOutput.remove(first);
                    drivers.computeIfPresent(first, (id, old) -> withoutOutput(old));
                }
            }
            passed(fact.wallMillis());
        }

        private Kept withoutOutput(Kept kept) {
            return kept.ends()
                    .map(end -> ((Fact.DriverClosed) end).withoutOutput())
                    .findFirst()
                    .map(end -> kept.with(end, Fact.DriverClosed.class))
                    .orElse(kept);
        }

        @Override
        public void onForgotten(Fact.DriversForgotten fact) {
            for (SubmissionId id : fact.ids()) {
                Kept kept = drivers.remove(id);
                closed.remove(id);
                withOutput.remove(id);
                if (kept != null) {
                    Kept less = withoutOutput(kept).of(NOTHING);
                    forgotten.put(id, new Kept(less.taken(), less.ends().toList(), true));
                }
            }
        }

        @Override
        public void onIdsReserved(Fact.ExecutorIdsReserved fact) {
            executorIds.merge(fact.application(), fact.below(), Math::max);
        }

        @Override
        public void onApplicationsClosed(Fact.ApplicationsClosed fact) {
            fact.applications().forEach(executorIds::remove);
        }

        @Override
        public void onRequestsForgotten(Fact.RequestsForgotten fact) {
            fact.ids().forEach(forgotten::remove);
        }
    }
}
