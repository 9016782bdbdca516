package dev.hearth.itests.architecture;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * The dependencies that the poms of the tree declare, with the scopes that the root pom manages. Read once; immutable.
 */
record Poms(List<Declared> dependencies) {
    /** A dependency as one pom declares it. */
    record Declared(String pom, String group, String artifact, String scope) {
        String coordinates() {
            return group + ":" + artifact;
        }

        boolean ours() {
            return group.equals("dev.hearth");
        }

        boolean test() {
            return scope.equals("test");
        }
    }

    static Poms ofTheTree() {
        Map<String, String> texts = new LinkedHashMap<>();
        for (Path pom : Repository.poms()) {
            texts.put(Repository.name(pom), Repository.text(pom));
        }
        return of(texts);
    }

    /** Reads poms given by name; the one named {@code pom.xml} manages scopes. */
    static Poms of(Map<String, String> texts) {
        Map<String, String> managed = new LinkedHashMap<>();
        List<Declared> found = new ArrayList<>();
        Element root = parse("pom.xml", texts.getOrDefault("pom.xml", "<project/>"));
        for (Element management : children(root, "dependencyManagement")) {
            for (Declared entry : declared("pom.xml", management, Map.of())) {
                managed.put(entry.coordinates(), entry.scope());
            }
        }
        texts.forEach((name, text) -> {
            Element project = parse(name, text);
            found.addAll(declared(name, project, managed));
            for (Element profiles : children(project, "profiles")) {
                children(profiles, "profile").forEach(profile -> found.addAll(declared(name, profile, managed)));
            }
        });
        return new Poms(List.copyOf(found));
    }

    private static List<Declared> declared(String pom, Element owner, Map<String, String> managed) {
        List<Declared> found = new ArrayList<>();
        for (Element list : children(owner, "dependencies")) {
            for (Element dependency : children(list, "dependency")) {
                String group = text(dependency, "groupId", "");
                String artifact = text(dependency, "artifactId", "");
                String otherwise = managed.getOrDefault(group + ":" + artifact, "compile");
                found.add(new Declared(pom, group, artifact, text(dependency, "scope", otherwise)));
            }
        }
        return found;
    }

    private static String text(Element owner, String name, String otherwise) {
        return children(owner, name).stream()
                .map(Element::getTextContent)
                .map(String::trim)
                .findFirst()
                .orElse(otherwise);
    }

    private static List<Element> children(Element owner, String name) {
        List<Element> found = new ArrayList<>();
        for (Node child = owner.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element element && element.getTagName().equals(name)) {
                found.add(element);
            }
        }
        return found;
    }

    private static Element parse(String name, String text) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "");
            return factory.newDocumentBuilder()
                    .parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
                    .getDocumentElement();
        } catch (Exception failure) {
            throw new IllegalStateException(name + ": not a pom", failure);
        }
    }
}
