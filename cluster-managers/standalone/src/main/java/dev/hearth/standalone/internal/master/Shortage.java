package dev.hearth.standalone.internal.master;

import dev.hearth.spi.error.Quantity;
import java.util.ArrayList;
import java.util.List;

/** Texts that say what a driver or an executor needs, and by how much the workers have too little of it. Stateless. */
final class Shortage {
    private Shortage() {}

    /** Returns what has to be free, and by how much each worker has too little of it. */
    static WaitReason of(WorkerLedger workers, ProcessNeeds needs) {
        FreeWorkers free = workers.free();
        boolean none = workers.staying().isEmpty();
        List<String> parts = new ArrayList<>();
        List<String> subject = new ArrayList<>(List.of("waits"));
        parts.add(part(
                Quantity.of(needs.cores(), "free core"),
                "cores",
                needs.cores(),
                none ? needs.cores() : free.mostCores(),
                subject));
        parts.add(part(
                needs.memoryMebibytes() + " MiB free memory",
                "MiB",
                needs.memoryMebibytes(),
                none ? needs.memoryMebibytes() : free.mostMemory(),
                subject));
        needs.addresses()
                .forEach((name, amount) -> parts.add(part(
                        amount + " free addresses of " + name,
                        name,
                        amount,
                        none ? amount : free.mostAddresses(name),
                        subject)));
        String resources = parts.size() == 2 ? "" : ", and " + String.join(", and ", parts.subList(2, parts.size()));
        String which = "";
        if (none) {
            subject.add("workers");
        } else if (needs.supervision() && !free.anySupervises()) {
            which = " that supervises drivers";
            subject.add("supervision");
        } else if (subject.size() == 1 && !free.hasRoom(needs)) {
            which = ", which no worker has together";
        }
        String text = "waits for a worker with " + parts.get(0) + " and " + parts.get(1) + resources + which
                + "; workers now: " + workers.staying().size();
        return new WaitReason(String.join(" ", subject), text, false);
    }

    private static String part(String what, String kind, int needed, int most, List<String> subject) {
        if (most >= needed) {
            return what;
        }
        subject.add(kind);
        return what + " (one worker has at most " + most + ", " + (needed - most) + " too few)";
    }
}
