package dev.hearth.engine.internal.resource;

import dev.hearth.api.task.ResourceInformation;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Addresses of the resources of one executor, with the part of each that is free. Owned by its executor in the task
 * scheduler.
 * <p>Invariant: the tasks that hold a share of an address never have more than the whole of it, and each gives its
 * shares back exactly once.
 */
public final class AddressPool {
    /** Parts of an address: enough for the six digits of an amount and for a thousand equal shares. */
    private static final long WHOLE = 1_000_000_000_000L;

    private final Map<String, Kind> kinds = new LinkedHashMap<>();

    /** Addresses of one resource. */
    private static final class Kind {
        private final String name;
        private final List<String> addresses;
        private final long[] free; // parts, by address

        Kind(String name, List<String> addresses) {
            this.name = name;
            this.addresses = addresses;
            this.free = new long[addresses.size()];
            Arrays.fill(free, WHOLE);
        }

        /** Number of further tasks that need {@code amount}. */
        int room(double amount) {
            long parts = parts(amount);
            long shares = 0;
            for (long left : free) {
                shares += left / parts;
            }
            return (int) Math.min(Integer.MAX_VALUE, shares / TaskNeeds.whole(amount));
        }

        /** Takes a share of each of as many addresses as {@code amount} says, of the least used ones first. */
        int[] take(double amount) {
            long parts = parts(amount);
            int[] taken = new int[TaskNeeds.whole(amount)];
            Arrays.fill(taken, -1);
            for (int i = 0; i < taken.length; i++) {
                int best = -1;
                for (int at = 0; at < free.length; at++) {
                    if (free[at] >= parts && (best < 0 || free[at] > free[best]) && !contains(taken, at)) {
                        best = at;
                    }
                }
                if (best < 0) {
                    throw new IllegalStateException("resource " + name + ": no free address of " + addresses
                            + " (expected: one for each task that a slot admits)");
                }
                taken[i] = best;
            }
            for (int at : taken) {
                free[at] -= parts;
            }
            return taken;
        }

        private static boolean contains(int[] taken, int address) {
            for (int at : taken) {
                if (at == address) {
                    return true;
                }
            }
            return false;
        }

        void giveBack(int[] taken, double amount) {
            long parts = parts(amount);
            for (int at : taken) {
                if (free[at] + parts > WHOLE) {
                    throw new IllegalStateException("resource " + name + ": address " + addresses.get(at)
                            + " is given back twice (expected: once)");
                }
                free[at] += parts;
            }
        }

        ResourceInformation information(int[] taken) {
            return new ResourceInformation(
                    name, Arrays.stream(taken).mapToObj(addresses::get).toList());
        }

        /** The part of an address that a task which needs {@code amount} has, so that as many fit as may share it. */
        private static long parts(double amount) {
            return amount >= 1 ? WHOLE : Math.min(Math.round(amount * WHOLE), WHOLE / TaskNeeds.shares(amount));
        }
    }

    /** Shares that one task holds, until {@link AddressPool#giveBack}. */
    public static final class Lease {
        private final TaskNeeds needs;
        private final Map<String, int[]> taken;
        private final Map<String, ResourceInformation> resources;
        private boolean over;

        private Lease(TaskNeeds needs, Map<String, int[]> taken, Map<String, ResourceInformation> resources) {
            this.needs = needs;
            this.taken = taken;
            this.resources = resources;
        }

        /** The addresses that the task may use, by the names of their resources. */
        public Map<String, ResourceInformation> resources() {
            return resources;
        }
    }

    /** Creates the pool of an executor that has {@code resources}. */
    public AddressPool(Map<String, ResourceInformation> resources) {
        resources.forEach((name, has) -> kinds.put(name, new Kind(name, has.addresses())));
    }

    /** Number of further tasks with {@code needs} for which there are addresses. */
    public int room(TaskNeeds needs) {
        int room = Integer.MAX_VALUE;
        for (Map.Entry<String, Double> need : needs.amounts().entrySet()) {
            Kind kind = kinds.get(need.getKey());
            room = kind == null ? 0 : Math.min(room, kind.room(need.getValue()));
        }
        return room;
    }

    /** Takes the addresses of one more task with {@code needs}. There must be enough, as there are while a slot is free. */
    public Lease take(TaskNeeds needs) {
        Map<String, int[]> taken = new LinkedHashMap<>();
        Map<String, ResourceInformation> resources = new LinkedHashMap<>();
        needs.amounts().forEach((name, amount) -> {
            Kind kind = kinds.getOrDefault(name, new Kind(name, List.of()));
            int[] addresses = kind.take(amount);
            taken.put(name, addresses);
            resources.put(name, kind.information(addresses));
        });
        return new Lease(needs, taken, resources);
    }

    /** Takes back what a task held. Fails if it was given back before. */
    public void giveBack(Lease lease) {
        if (lease.over) {
            throw new IllegalStateException("addresses " + lease.resources + ": given back twice (expected: once)");
        }
        lease.over = true;
        lease.taken.forEach((name, addresses) -> {
            Kind kind = kinds.get(name);
            if (kind != null) {
                kind.giveBack(addresses, lease.needs.amounts().getOrDefault(name, 1.0));
            }
        });
    }
}
