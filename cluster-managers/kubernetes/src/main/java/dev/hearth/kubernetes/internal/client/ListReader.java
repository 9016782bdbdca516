package dev.hearth.kubernetes.internal.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.json.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Objects, events and pages of lists from JSON, token by token. Pure. */
final class ListReader {
    private static final ObjectFacts NOTHING = ObjectFacts.of("", "", "");

    private ListReader() {}

    /** Event of a watch. An {@code error} is the tree of what the server says, all others have an object. */
    record Event(String type, ObjectFacts object, Optional<JsonNode> error) {}

    /** Reads an object. */
    static ObjectFacts object(byte[] body) throws IOException {
        try (JsonParser parser = Json.parser(body)) {
            parser.nextToken();
            return parser.currentToken() == null ? NOTHING : ObjectReader.read(parser, new RepeatedWords());
        }
    }

    /** Reads an event of a watch; {@code words} are those of its events before. */
    static Event event(byte[] line, RepeatedWords words) throws IOException {
        String[] type = {""};
        ObjectFacts[] object = {NOTHING};
        boolean[] isWhole = {true}; // the type came before the object
        try (JsonParser parser = Json.parser(line)) {
            ObjectReader.FieldReader in = new ObjectReader.FieldReader(parser, words);
            if (parser.nextToken() == null) {
                throw new IOException("no event (expected: an object with a type)");
            }
            in.fields(field -> {
                if (field.equals("type")) {
                    type[0] = in.word(field);
                } else if (field.equals("object") && isOfObject(type[0])) {
                    object[0] = ObjectReader.read(parser, words);
                } else {
                    isWhole[0] &= !field.equals("object");
                    in.skip();
                }
            });
        }
        if (isWhole[0]) {
            return new Event(type[0], object[0], Optional.empty());
        }
        JsonNode tree = Json.read(line).path("object");
        return isOfObject(type[0])
                ? new Event(type[0], object(Json.text(tree).getBytes(UTF_8)), Optional.empty())
                : new Event(type[0], NOTHING, Optional.of(tree));
    }

    private static boolean isOfObject(String type) {
        return switch (type) {
            case "ADDED", "MODIFIED", "DELETED", "BOOKMARK" -> true;
            default -> false;
        };
    }

    /** Reads a page; {@code serverSeconds} is the time of the server's clock. */
    static Answer.Page read(byte[] body, long serverSeconds) throws IOException {
        List<ObjectFacts> objects = new ArrayList<>();
        String[] found = {"", ""}; // version and next page
        RepeatedWords words = new RepeatedWords();
        try (JsonParser parser = Json.parser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("no list (expected: an object with items)");
            }
            ObjectReader.FieldReader in = new ObjectReader.FieldReader(parser, words);
            in.fields(field -> {
                switch (field) {
                    case "metadata" ->
                        in.fields(inner -> {
                            switch (inner) {
                                case "resourceVersion" -> found[0] = in.text();
                                case "continue" -> found[1] = in.text();
                                default -> in.skip();
                            }
                        });
                    case "items" -> in.elements(() -> objects.add(ObjectReader.read(parser, words)));
                    default -> in.skip();
                }
            });
            if (parser.currentToken() != JsonToken.END_OBJECT) {
                throw new IOException("a list without an end");
            }
        }
        return new Answer.Page(objects, found[0], found[1], serverSeconds);
    }
}
