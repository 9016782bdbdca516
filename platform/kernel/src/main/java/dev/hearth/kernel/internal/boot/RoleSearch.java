package dev.hearth.kernel.internal.boot;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.role.RoleMain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.Filter;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.wiring.BundleRequirement;
import org.osgi.framework.wiring.BundleRevision;
import org.osgi.util.tracker.ServiceTracker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the service that implements a role among the started bundles, or explains why it is missing. Used once. */
final class RoleSearch {
    /** Maximum time for a component to register its service after its bundle has started. Most register at once. */
    private static final Duration WAIT = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(RoleSearch.class);
    private static final String SERVICE_NAMESPACE = "osgi.service";

    private final Kernel kernel;
    private final List<BundleFailure> failures;
    private final String role;
    private final BundleHints hints;

    /** {@code failures} contains the bundles that did not start, with reasons. */
    RoleSearch(Kernel kernel, List<BundleFailure> failures, String role, BundleHints hints) {
        this.kernel = kernel;
        this.failures = failures;
        this.role = role;
        this.hints = hints;
    }

    /**
     * Returns the service that implements the role. Fails with {@code BAD_ARGUMENT} if no bundle with the role is
     * installed, and with {@code START_FAILED} and one readable cause if its service is missing.
     */
    RoleMain find() throws InterruptedException {
        ServiceTracker<RoleMain, RoleMain> tracker = new ServiceTracker<>(kernel.context(), filter(), null);
        tracker.open();
        @Nullable RoleMain main = tracker.getService();
        if (main == null && failures.isEmpty()) { // after a failure no further service is expected
            if (!isInstalled()) {
                tracker.close();
                throw unknown();
            }
            main = tracker.waitForService(WAIT.toMillis());
        }
        if (main == null) {
            tracker.close();
            throw absence();
        }
        for (BundleFailure failure : failures) {
            LOG.warn("bundle {}: not started: {}", failure.bundle(), failure.reason());
        }
        return main; // the open tracker holds the service until the framework stops
    }

    private Filter filter() {
        String text = "(&(" + Constants.OBJECTCLASS + "=" + RoleMain.class.getName() + ")(" + RoleMain.ROLE + "=" + role
                + "))";
        try {
            return FrameworkUtil.createFilter(text);
        } catch (InvalidSyntaxException e) {
            throw ErrorCode.BAD_ARGUMENT.failure("role: '" + role + "' (expected: letters, digits and '-')", e);
        }
    }

    /** Whether the manifest of an installed bundle says that the bundle runs the role. */
    private boolean isInstalled() {
        for (Bundle bundle : kernel.context().getBundles()) {
            String header = bundle.getHeaders("").get(RoleClause.HEADER);
            if (header != null && isMain(header)) {
                return true;
            }
        }
        return false;
    }

    private boolean isMain(String header) {
        try {
            return RoleClause.parse(header).stream()
                    .anyMatch(clause -> clause.main() && clause.roles().contains(role));
        } catch (IllegalArgumentException invalid) {
            LOG.debug("header {}: ignored", header, invalid);
            return false; // a bundle of deploy/; a warning names such a bundle of bundles/
        }
    }

    private HearthException unknown() {
        return ErrorCode.BAD_ARGUMENT.failure("role " + role + ": no bundle in bundles/ or deploy/ offers it (expected:"
                + " one with " + RoleClause.HEADER + ": " + role + ";main=true in its manifest); put "
                + hints.ofRole(role).orElse("that bundle") + " into bundles/");
    }

    private HearthException absence() {
        List<String> causes = new ArrayList<>();
        // Failures are grouped by reason, because one missing bundle may prevent many others from starting.
        Map<String, List<String>> bundlesByReason = new LinkedHashMap<>();
        for (BundleFailure failure : failures) {
            bundlesByReason
                    .computeIfAbsent(failure.reason(), reason -> new ArrayList<>())
                    .add(failure.bundle());
        }
        bundlesByReason.forEach((reason, bundles) -> causes.add(reason + "; not started: " + bundles));
        if (causes.isEmpty()) {
            causes.addAll(unmetServices());
        }
        String cause = causes.isEmpty()
                ? "all bundles are active, so a component failed (see above)"
                : String.join("\n  ", causes);
        return ErrorCode.START_FAILED.failure("role " + role + ": no bundle offers it (expected: a service "
                + RoleMain.class.getSimpleName() + " with " + RoleMain.ROLE + "=" + role + "); " + cause);
    }

    /** Returns the services that active bundles require but no bundle has registered. */
    private List<String> unmetServices() {
        List<String> unmet = new ArrayList<>();
        for (BundleRevision revision : kernel.revisions()) {
            if (revision.getBundle().getState() == Bundle.ACTIVE) {
                for (BundleRequirement requirement : revision.getDeclaredRequirements(SERVICE_NAMESPACE)) {
                    String filter = requirement.getDirectives().get(Constants.FILTER_DIRECTIVE);
                    if (filter != null && !isRegistered(filter)) {
                        unmet.add(revision.getSymbolicName() + " waits for a service " + filter);
                    }
                }
            }
        }
        return unmet;
    }

    private boolean isRegistered(String filter) {
        BundleContext context = kernel.context();
        try {
            return context.getAllServiceReferences(null, filter) != null;
        } catch (InvalidSyntaxException e) {
            throw ErrorCode.START_FAILED.failure("filter " + filter + ": " + e.getMessage(), e);
        }
    }
}
