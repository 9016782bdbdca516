package dev.hearth.kernel.internal.inventory;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Service references that the components of a bundle declare, read from the component descriptions in the bundle.
 * Immutable.
 */
public record ComponentReferences(List<Reference> references) {
    private static final Logger LOG = LoggerFactory.getLogger(ComponentReferences.class);
    private static final String HEADER = "Service-Component";

    public ComponentReferences {
        references = List.copyOf(references);
    }

    /**
     * Reference of a declarative-services component to OSGi services of {@code type}. {@code target} is a filter of the
     * properties that such a service must have; empty if any service will do.
     */
    public record Reference(String component, String type, String target, boolean optional, boolean dynamic) {}

    /**
     * Reads the references of a bundle. Returns empty if the bundle has no components. Also returns empty, and logs, if
     * a description cannot be read.
     */
    public static ComponentReferences of(Bundle bundle) {
        String header = bundle.getHeaders("").get(HEADER);
        List<Reference> found = new ArrayList<>();
        for (String path : header == null ? new String[0] : header.split(",")) {
            for (URL description : entries(bundle, path.strip())) {
                try (InputStream in = description.openStream()) {
                    read(in, found);
                } catch (IOException | XMLStreamException e) {
                    LOG.warn("bundle {}: component description {} cannot be read", bundle, description, e);
                }
            }
        }
        return new ComponentReferences(found);
    }

    /**
     * Whether components of the bundle refer to services of any type in {@code types}, and every such reference is
     * dynamic: the service can be replaced while the component runs.
     */
    public boolean areDynamic(List<String> types) {
        List<Reference> taking = references.stream()
                .filter(reference -> types.contains(reference.type))
                .toList();
        return !taking.isEmpty() && taking.stream().allMatch(Reference::dynamic);
    }

    private static List<URL> entries(Bundle bundle, String path) {
        int slash = path.lastIndexOf('/');
        Enumeration<URL> found =
                bundle.findEntries(slash < 0 ? "/" : path.substring(0, slash), path.substring(slash + 1), false);
        return found == null ? List.of() : Collections.list(found);
    }

    private static void read(InputStream in, List<Reference> found) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        XMLStreamReader reader = factory.createXMLStreamReader(in);
        String component = "";
        while (reader.hasNext()) {
            if (reader.next() == XMLStreamConstants.START_ELEMENT) {
                if (reader.getLocalName().equals("component")) {
                    component = attribute(reader, "name", "");
                } else if (reader.getLocalName().equals("reference")) {
                    found.add(new Reference(
                            component,
                            attribute(reader, "interface", ""),
                            attribute(reader, "target", ""),
                            attribute(reader, "cardinality", "1..1").startsWith("0"),
                            attribute(reader, "policy", "static").equals("dynamic")));
                }
            }
        }
        reader.close();
    }

    private static String attribute(XMLStreamReader reader, String name, String otherwise) {
        @Nullable String value = reader.getAttributeValue(null, name);
        return value == null ? otherwise : value;
    }
}
