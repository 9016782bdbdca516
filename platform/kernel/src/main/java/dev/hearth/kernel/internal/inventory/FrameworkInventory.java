package dev.hearth.kernel.internal.inventory;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.kernel.Deployer;
import dev.hearth.spi.kernel.Inventory;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.wiring.BundleCapability;
import org.osgi.framework.wiring.BundleRevision;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Bundles and services of the framework, read at each call. Any thread may call; lives as long as the framework. */
public final class FrameworkInventory implements Inventory {
    private static final Logger LOG = LoggerFactory.getLogger(FrameworkInventory.class);
    private static final Set<String> SHOWN_ELSEWHERE = Set.of(
            Constants.OBJECTCLASS,
            Constants.SERVICE_ID,
            Constants.SERVICE_BUNDLEID,
            Constants.SERVICE_SCOPE,
            "component.id");

    private final BundleContext context;
    private final MissingRequirements missing;
    private final Deployer deployer;

    public FrameworkInventory(BundleContext context, MissingRequirements missing, Deployer deployer) {
        this.context = context;
        this.missing = missing;
        this.deployer = deployer;
    }

    @Override
    public List<BundleEntry> bundles() {
        List<BundleEntry> entries = new ArrayList<>();
        for (Bundle bundle : context.getBundles()) {
            boolean dropped = BundleLocations.isDropped(bundle.getLocation());
            entries.add(new BundleEntry(
                    bundle.getBundleId(),
                    name(bundle),
                    VersionText.of(bundle.getVersion()),
                    state(bundle),
                    dropped ? "deploy" : "bundles",
                    isRunning(bundle) ? "" : problem(bundle)));
        }
        return entries;
    }

    @Override
    public List<ServiceEntry> services() {
        List<ServiceEntry> entries = new ArrayList<>();
        for (ServiceReference<?> service : references(null)) {
            Bundle owner = service.getBundle();
            if (owner != null) { // null: unregistered meanwhile
                Map<String, String> properties = new LinkedHashMap<>();
                for (String key : new TreeSet<>(List.of(service.getPropertyKeys()))) {
                    if (!SHOWN_ELSEWHERE.contains(key)) {
                        properties.put(key, text(service.getProperty(key)));
                    }
                }
                entries.add(new ServiceEntry(
                        (Long) service.getProperty(Constants.SERVICE_ID),
                        List.of((String[]) service.getProperty(Constants.OBJECTCLASS)),
                        name(owner),
                        properties));
            }
        }
        return entries;
    }

    @Override
    public String why(String asked) {
        List<Bundle> bundles = new ArrayList<>();
        for (Bundle bundle : context.getBundles()) {
            if (asked.equals(bundle.getSymbolicName()) || asked.equals(String.valueOf(bundle.getBundleId()))) {
                bundles.add(bundle);
            }
        }
        List<String> paragraphs = new ArrayList<>();
        bundles.forEach(bundle -> paragraphs.add(why(bundle)));
        for (Deployer.Deployed dropped : deployer.deployed()) {
            boolean reported = !dropped.problem().isEmpty()
                    && paragraphs.stream().anyMatch(text -> text.contains(dropped.problem()));
            boolean matches = asked.equals(dropped.name()) || asked.equals(dropped.file());
            if (matches && !reported && dropped.state() != Deployer.State.RUNNING) {
                paragraphs.add(why(dropped));
            }
        }
        if (paragraphs.isEmpty()) {
            throw ErrorCode.BAD_ARGUMENT.failure("bundle '" + asked
                    + "': not installed (expected: an id or a symbolic name); hearth:bundles lists them");
        }
        return String.join("\n", paragraphs);
    }

    private static String why(Deployer.Deployed dropped) {
        String subject = dropped.name().isEmpty() ? "" : dropped.name() + " " + dropped.version() + ", ";
        return subject + dropped.file() + ": "
                + dropped.state().toString().toLowerCase(Locale.ROOT)
                + (dropped.problem().isEmpty() ? "" : ": " + dropped.problem())
                + (dropped.heldBy().isEmpty() ? "" : ", still used by " + String.join(", ", dropped.heldBy()));
    }

    private String why(Bundle bundle) {
        String subject = name(bundle) + " " + VersionText.of(bundle.getVersion());
        if (!isRunning(bundle)) {
            return subject + " is " + state(bundle) + ": " + problem(bundle);
        }
        List<String> lines = new ArrayList<>();
        lines.add(subject + " runs.");
        List<String> packages = packages(bundle);
        if (!packages.isEmpty()) {
            lines.add("It exports " + String.join(", ", packages) + ".");
        }
        ServiceReference<?>[] services = bundle.getRegisteredServices();
        for (ServiceReference<?> service : services == null ? new ServiceReference<?>[0] : services) {
            lines.add("It offers " + String.join(", ", (String[]) service.getProperty(Constants.OBJECTCLASS)) + ".");
        }
        lines.addAll(unsatisfied(bundle));
        return String.join("\n  ", lines);
    }

    private String problem(Bundle bundle) {
        for (Deployer.Deployed dropped : deployer.deployed()) {
            if (dropped.name().equals(bundle.getSymbolicName())
                    && dropped.version().equals(VersionText.of(bundle.getVersion()))
                    && !dropped.problem().isEmpty()) {
                return dropped.problem();
            }
        }
        return switch (bundle.getState()) {
            case Bundle.INSTALLED -> missing.explain(bundle);
            case Bundle.RESOLVED -> "nothing is missing, but it was not started or its start failed (see the log)";
            default -> "it is starting or stopping";
        };
    }

    /**
     * Returns one explanation for each service that a component of {@code bundle} requires and that no bundle provides
     * now.
     */
    private List<String> unsatisfied(Bundle bundle) {
        List<String> lines = new ArrayList<>();
        for (ComponentReferences.Reference reference :
                ComponentReferences.of(bundle).references()) {
            if (!reference.optional() && !isThere(reference)) {
                String target = reference.target().isEmpty() ? "" : " with " + reference.target();
                lines.add("Its component " + reference.component() + " waits for a service " + reference.type() + target
                        + "; " + providers(reference.type()));
            }
        }
        return lines;
    }

    private boolean isThere(ComponentReferences.Reference reference) {
        String type = "(" + Constants.OBJECTCLASS + "=" + reference.type() + ")";
        return !references(reference.target().isEmpty() ? type : "(&" + type + reference.target() + ")")
                .isEmpty();
    }

    private String providers(String type) {
        Set<String> providers = new TreeSet<>(missing.jarsOffering(type));
        return providers.isEmpty()
                ? "no bundle in bundles/ or deploy/ declares to offer one."
                : providers + " declare to offer one.";
    }

    private List<ServiceReference<?>> references(@Nullable String filter) {
        try {
            ServiceReference<?>[] found = context.getAllServiceReferences(null, filter);
            return found == null ? List.of() : List.of(found);
        } catch (InvalidSyntaxException e) {
            LOG.debug("filter {}: not understood", filter, e);
            return List.of(); // a reference with an invalid target filter is never satisfied
        }
    }

    private static List<String> packages(Bundle bundle) {
        BundleRevision revision = bundle.adapt(BundleRevision.class);
        List<String> names = new ArrayList<>();
        for (BundleCapability capability : revision.getDeclaredCapabilities(BundleRevision.PACKAGE_NAMESPACE)) {
            names.add(String.valueOf(capability.getAttributes().get(BundleRevision.PACKAGE_NAMESPACE)));
        }
        return bundle.getBundleId() == Constants.SYSTEM_BUNDLE_ID ? List.of() : names;
    }

    private static boolean isRunning(Bundle bundle) {
        boolean fragment = bundle.getHeaders("").get(Constants.FRAGMENT_HOST) != null;
        return bundle.getState() == Bundle.ACTIVE || (fragment && bundle.getState() == Bundle.RESOLVED);
    }

    private static String name(Bundle bundle) {
        String name = bundle.getSymbolicName();
        return name == null ? bundle.getLocation() : name;
    }

    private static String state(Bundle bundle) {
        return switch (bundle.getState()) {
            case Bundle.INSTALLED -> "INSTALLED";
            case Bundle.RESOLVED -> "RESOLVED";
            case Bundle.STARTING -> "STARTING";
            case Bundle.ACTIVE -> "ACTIVE";
            case Bundle.STOPPING -> "STOPPING";
            default -> "UNINSTALLED";
        };
    }

    private static String text(Object value) {
        if (value.getClass().isArray()) {
            List<String> elements = new ArrayList<>();
            for (int i = 0; i < Array.getLength(value); i++) {
                elements.add(String.valueOf(Array.get(value, i)));
            }
            return String.join(",", elements);
        }
        if (value instanceof Collection<?> elements) {
            return String.join(",", elements.stream().map(String::valueOf).toList());
        }
        return String.valueOf(value);
    }
}
