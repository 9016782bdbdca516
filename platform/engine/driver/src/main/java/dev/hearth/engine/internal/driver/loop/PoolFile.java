package dev.hearth.engine.internal.driver.loop;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.scheduler.PoolSpec;
import dev.hearth.engine.internal.scheduler.PoolTree;
import dev.hearth.engine.internal.scheduler.SchedulerSettings;
import dev.hearth.engine.internal.scheduler.SchedulingMode;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.storage.ApplicationStores;
import dev.hearth.spi.storage.FileName;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads scheduling pools from a file in the format of Spark's {@code fairscheduler.xml}: {@code <allocations><pool
 * name="a"> <schedulingMode>FAIR</schedulingMode> <weight>2</weight> <minShare>1</minShare> </pool></allocations>}.
 * Refuses XML external entities, which could read other files. One instance reads one file, on one thread.
 */
public final class PoolFile {
    private static final int POOLS_MAX = 10_000;
    private static final String SETTING = ", from hearth.scheduler.allocation.file";

    private final String file;
    private final Map<String, PoolSpec> pools = new LinkedHashMap<>();

    private PoolFile(String file) {
        this.file = file;
    }

    /**
     * Creates the scheduling pools from {@code settings} and, if the settings name a pool file, from that file.
     * {@code stores} are used only for a path without a scheme, and for a file that is not local. May block.
     */
    public static PoolTree tree(SchedulerSettings settings, ApplicationStores stores) {
        return switch (settings.mode()) {
            case FIFO -> PoolTree.fifo();
            case FAIR ->
                PoolTree.fair(
                        settings.poolFile().map(file -> read(file, stores)).orElseGet(List::of));
        };
    }

    private static List<PoolSpec> read(String text, ApplicationStores stores) {
        Optional<FileName> address;
        try {
            address = FileName.uri(text, FileName::decode);
        } catch (HearthException malformed) {
            throw ErrorCode.BAD_SETTING.failure("pool file: " + malformed.getMessage() + SETTING, malformed);
        }
        FileName file = address.orElseGet(() -> stores.name(text));
        return file.isLocal()
                ? read(Path.of(file.path()))
                : read(file.toString(), () -> stores.of(file).read(file, 0));
    }

    /** Reads the pools of {@code file}, in file order. May block. */
    public static List<PoolSpec> read(Path file) {
        return read(file.toString(), () -> Files.newInputStream(file));
    }

    /** Opens a pool file. */
    @FunctionalInterface
    private interface Opening {
        InputStream open() throws IOException;
    }

    private static List<PoolSpec> read(String file, Opening opening) {
        PoolFile reading = new PoolFile(file);
        try (InputStream in = opening.open()) {
            XMLStreamReader xml = factory().createXMLStreamReader(in);
            try {
                reading.readAll(xml);
            } finally {
                xml.close();
            }
        } catch (NoSuchFileException missing) {
            throw ErrorCode.PATH_MISSING.failure("pool file " + file + ": missing (expected: a file" + SETTING + ")");
        } catch (IOException unreadable) {
            throw ErrorCode.PATH_MISSING.failure("pool file " + file + ": " + unreadable + SETTING, unreadable);
        } catch (XMLStreamException malformed) {
            int line = malformed.getLocation() == null
                    ? 0
                    : malformed.getLocation().getLineNumber();
            throw ErrorCode.BAD_SETTING.failure(
                    reading.at(line) + "not well-formed XML without external entities: "
                            + String.valueOf(malformed.getMessage()).replaceAll("\\s+", " "),
                    malformed);
        }
        return List.copyOf(reading.pools.values());
    }

    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        return factory;
    }

    private void readAll(XMLStreamReader xml) throws XMLStreamException {
        while (xml.next() != XMLStreamConstants.START_ELEMENT) {
            if (xml.getEventType() == XMLStreamConstants.DTD) {
                throw bad(xml, "a document type", "none");
            }
        }
        if (!xml.getLocalName().equals("allocations")) {
            throw bad(xml, "<" + xml.getLocalName() + ">", "<allocations>");
        }
        while (xml.nextTag() == XMLStreamConstants.START_ELEMENT) {
            if (!xml.getLocalName().equals("pool")) {
                throw bad(xml, "<" + xml.getLocalName() + "> in <allocations>", "<pool>");
            }
            add(xml, readPool(xml));
        }
    }

    private void add(XMLStreamReader xml, PoolSpec pool) {
        if (pools.putIfAbsent(pool.name(), pool) != null) {
            throw bad(xml, "pool '" + pool.name() + "' a second time", "each pool once");
        }
        if (pools.size() > POOLS_MAX) {
            throw bad(xml, "more than " + POOLS_MAX + " pools", "at most " + POOLS_MAX);
        }
    }

    private PoolSpec readPool(XMLStreamReader xml) throws XMLStreamException {
        String name = xml.getAttributeValue(null, "name");
        if (name == null || name.isBlank()) {
            throw bad(xml, "a pool without a name", "<pool name=\"...\">");
        }
        PoolSpec defaults = PoolSpec.named(name);
        SchedulingMode mode = defaults.mode();
        int weight = defaults.weight();
        int minShare = defaults.minShare();
        List<String> seen = new ArrayList<>();
        while (xml.nextTag() == XMLStreamConstants.START_ELEMENT) {
            String element = xml.getLocalName();
            if (seen.contains(element)) {
                throw bad(xml, "<" + element + "> a second time in pool '" + name + "'", "once");
            }
            seen.add(element);
            switch (element) {
                case "schedulingMode" -> mode = mode(xml, name);
                case "weight" -> weight = number(xml, name, element, 1);
                case "minShare" -> minShare = number(xml, name, element, 0);
                default ->
                    throw bad(xml, "<" + element + "> in pool '" + name + "'", "schedulingMode, weight or minShare");
            }
        }
        return new PoolSpec(name, mode, weight, minShare);
    }

    private SchedulingMode mode(XMLStreamReader xml, String pool) throws XMLStreamException {
        String text = xml.getElementText().trim();
        try {
            return SchedulingMode.valueOf(text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            throw bad(xml, "schedulingMode '" + text + "' of pool '" + pool + "'", "FIFO or FAIR");
        }
    }

    private int number(XMLStreamReader xml, String pool, String element, int least) throws XMLStreamException {
        String text = xml.getElementText().trim();
        try {
            int value = Integer.parseInt(text);
            if (value >= least) {
                return value;
            }
        } catch (NumberFormatException broken) {
            throw bad(xml, element + " '" + text + "' of pool '" + pool + "'", "a whole number, " + least + " or more");
        }
        throw bad(xml, element + " '" + text + "' of pool '" + pool + "'", "a whole number, " + least + " or more");
    }

    private HearthException bad(XMLStreamReader xml, String found, String rule) {
        return ErrorCode.BAD_SETTING.failure(
                at(xml.getLocation().getLineNumber()) + found + " (expected: " + rule + ")");
    }

    private String at(int line) {
        return "pool file " + file + (line > 0 ? ", line " + line : "") + ": ";
    }
}
