package dev.hearth.shell.gogo.command;

import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.ClusterListing;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.DriverEntry;
import dev.hearth.spi.net.RpcAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Finds applications and drivers of a cluster by their ids, or by the beginning of one id. Stateless. */
final class ProcessLookup {
    private static final int IDS_SHOWN_MAX = 10;

    private ProcessLookup() {}

    /** Application or driver that a user has named. One of the two is present; an application may name its driver too. */
    record Found(Optional<ApplicationEntry> application, Optional<DriverEntry> driver) {
        String id() {
            return application
                    .map(entry -> entry.id().value())
                    .or(() -> driver.map(entry -> entry.id().value()))
                    .orElseThrow();
        }
    }

    /** All that a cluster lists, by id. {@code isWhole} is false if its manager does not list all. */
    record Listed(Map<String, Found> byId, List<ApplicationEntry> applications, boolean isWhole) {}

    static Listed list(ClusterAccess.OpenView view) throws InterruptedException {
        ClusterListing<ApplicationEntry> applications = view.ask(ClusterView::applications);
        ClusterListing<DriverEntry> drivers = view.ask(ClusterView::drivers);
        Map<String, Found> byId = new TreeMap<>();
        drivers.entries()
                .forEach(entry -> byId.put(entry.id().value(), new Found(Optional.empty(), Optional.of(entry))));
        applications
                .entries()
                .forEach(entry -> byId.put(entry.id().value(), new Found(Optional.of(entry), Optional.empty())));
        return new Listed(byId, applications.entries(), applications.known() && drivers.known());
    }

    /**
     * Returns what {@code text} names: an id, or the beginning of exactly one; empty if there is none. Fails if it is
     * the beginning of several.
     */
    static Optional<Found> find(CommandCall call, Listed listed, String text) {
        Found exact = listed.byId.get(text);
        if (exact != null) {
            return Optional.of(exact);
        }
        List<String> fitting =
                listed.byId.keySet().stream().filter(id -> id.startsWith(text)).toList();
        if (fitting.size() > 1) {
            throw call.misused("'" + text + "' is the beginning of " + fitting.size() + " ids (expected: of one), "
                    + shown(fitting));
        }
        return fitting.stream().map(listed.byId::get).findFirst();
    }

    /** Returns the failure for a name that no application and no driver has. */
    static RuntimeException unknown(CommandCall call, Listed listed, String text) {
        List<String> ids = new ArrayList<>(listed.byId.keySet());
        return call.misused("'" + text + "': no application or driver of this cluster (expected: "
                + (ids.isEmpty() ? "one; it has none" : "one of " + shown(ids)) + ")");
    }

    /** Returns the address of the running driver that {@code text} names, where its shell is. */
    static RpcAddress shell(CommandCall call, Listed listed, String text) {
        Found found = onlyRunning(listed, text)
                .or(() -> find(call, listed, text))
                .orElseThrow(() -> unknown(call, listed, text));
        Optional<ApplicationEntry> application = found.application().or(() -> running(listed, found));
        if (application.isEmpty()) {
            DriverEntry driver = found.driver().orElseThrow();
            throw call.misused("driver " + driver.id() + ": " + driver.state()
                    + (driver.message().isEmpty() ? "" : ", " + driver.message())
                    + ", and no application of it is registered (expected: a driver that runs, with an open context)");
        }
        ApplicationEntry entry = application.get();
        if (entry.state().isFinal()) {
            throw call.misused("application " + entry.id() + ": " + entry.state()
                    + (entry.message().isEmpty() ? "" : ", " + entry.message())
                    + " (expected: one that runs); 'hearth logs " + entry.id() + "' shows its output");
        }
        return RpcAddress.parse(entry.driver())
                .orElseThrow(() -> call.misused("application " + entry.id()
                        + ": the cluster does not tell the address of its driver (expected: --to HOST:PORT); the driver"
                        + " logs its address at level INFO"));
    }

    /** The one running application whose id begins with {@code text}; ended ones have no shell, so they do not count. */
    private static Optional<Found> onlyRunning(Listed listed, String text) {
        List<ApplicationEntry> fitting = listed.applications.stream()
                .filter(entry -> !entry.state().isFinal() && entry.id().value().startsWith(text))
                .toList();
        return fitting.size() == 1 && !listed.byId.containsKey(text)
                ? Optional.of(new Found(Optional.of(fitting.get(0)), Optional.empty()))
                : Optional.empty();
    }

    private static Optional<ApplicationEntry> running(Listed listed, Found driver) {
        return listed.applications.stream()
                .filter(entry -> entry.submission().equals(driver.driver().map(DriverEntry::id)))
                .filter(entry -> !entry.state().isFinal())
                .findFirst();
    }

    private static String shown(List<String> ids) {
        return ids.size() <= IDS_SHOWN_MAX
                ? ids.toString()
                : ids.subList(0, IDS_SHOWN_MAX) + " and " + (ids.size() - IDS_SHOWN_MAX) + " others";
    }
}
