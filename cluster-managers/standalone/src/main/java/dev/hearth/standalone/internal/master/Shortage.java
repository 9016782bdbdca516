package dev.hearth.standalone.internal.master;

import dev.hearth.spi.error.Quantity;
import java.util.ArrayList;
import java.util.List;

/** Texts that say what a driver or an executor needs, and by how much the workers have too little of it. Stateless. */
final class Shortage {
    private static final String TOO_FEW = " too few)";

    private Shortage() {}

    /** What has to be free, and of what one worker has too little at most. */
    static String of(WorkerLedger workers, ProcessNeeds needs) {
        FreeWorkers free = workers.free();
        List<String> parts = new ArrayList<>();
        parts.add(Quantity.of(needs.cores(), "free core") + few(needs.cores(), free.mostCores(), "", workers));
        parts.add(needs.memoryMebibytes() + " MiB free memory"
                + few(needs.memoryMebibytes(), free.mostMemory(), " MiB", workers));
        needs.addresses()
                .forEach((name, amount) -> parts.add(
                        amount + " free addresses of " + name + few(amount, free.mostAddresses(name), "", workers)));
        boolean noneSupervises = needs.supervision() && !free.anySupervises();
        boolean eachIsThere =
                !workers.all().isEmpty() && !noneSupervises && parts.stream().noneMatch(part -> part.endsWith(TOO_FEW));
        String resources = parts.size() == 2 ? "" : ", and " + String.join(", and ", parts.subList(2, parts.size()));
        return "waits for a worker with " + parts.get(0) + " and " + parts.get(1) + resources
                + (noneSupervises ? " that supervises drivers" : "")
                + (eachIsThere && !free.hasRoom(needs) ? ", which no worker has together" : "")
                + "; workers now: " + workers.all().size();
    }

    private static String few(int needed, int most, String unit, WorkerLedger workers) {
        return workers.all().isEmpty() || most >= needed
                ? ""
                : " (one worker has at most " + most + unit + ", " + (needed - most) + TOO_FEW;
    }
}
