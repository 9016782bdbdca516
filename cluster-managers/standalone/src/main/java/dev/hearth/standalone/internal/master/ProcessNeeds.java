package dev.hearth.standalone.internal.master;

import dev.hearth.standalone.internal.protocol.DriverSpec;
import java.util.Map;

/**
 * Needs of a driver or an executor on its worker: cores, memory, numbers of addresses by resource, and for drivers
 * whether the worker must supervise them. The cores of an executor that grows are those of its start. Immutable.
 */
record ProcessNeeds(int cores, int memoryMebibytes, Map<String, Integer> addresses, boolean supervision) {
    static ProcessNeeds of(DriverSpec spec) {
        return new ProcessNeeds(spec.cores(), spec.memoryMebibytes(), spec.addresses(), spec.supervise());
    }

    /** Whether {@code worker} has enough of all that is free. */
    boolean fit(WorkerRecord worker) {
        return worker.fits(cores, memoryMebibytes)
                && (worker.supervises() || !supervision)
                && (addresses.isEmpty() || worker.addresses().fits(addresses, 1));
    }

    /** Number of kinds of resources, cores and memory included, of which {@code worker} has too few even while idle. */
    int tooFewInAll(WorkerRecord worker) {
        int missing = worker.cores() < cores ? 1 : 0;
        missing += worker.memory() < memoryMebibytes ? 1 : 0;
        for (Map.Entry<String, Integer> need : addresses.entrySet()) {
            missing += worker.addresses().total(need.getKey()) < need.getValue() ? 1 : 0;
        }
        return missing;
    }
}
