// Reads cases as lines of JSON and prints for each whether golang.org/x/mod/sumdb accepts it.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type testCase struct {
	Kind     string
	Note     string
	Verifier string
	Text     string
	Leaf     tlog.Hash
	Index    int64
	Former   int64
	Size     int64
	Old      tlog.Hash
	Root     tlog.Hash
	Proof    []tlog.Hash
	Path     string
	Tiles    map[string][]byte
}

// A reader of the tiles of one case, by the paths that the log serves.
type tiles map[string][]byte

func (tiles) Height() int                              { return 8 }
func (tiles) SaveTiles(tiles []tlog.Tile, data [][]byte) {}
func (found tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	data := make([][]byte, len(wanted))
	for i, tile := range wanted {
		bytes, ok := found[tile.Path()]
		if !ok {
			return nil, errors.New("no tile " + tile.Path())
		}
		data[i] = bytes
	}
	return data, nil
}

func check(c testCase) error {
	switch c.Kind {
	case "note":
		verifier, err := note.NewVerifier(c.Verifier)
		if err != nil {
			return err
		}
		opened, err := note.Open([]byte(c.Note), note.VerifierList(verifier))
		if err == nil && opened.Text != c.Text {
			return errors.New("another text")
		}
		return err
	case "inclusion":
		return tlog.CheckRecord(c.Proof, c.Size, c.Root, c.Index, c.Leaf)
	case "consistency":
		return tlog.CheckTree(c.Proof, c.Size, c.Root, c.Former, c.Old)
	case "path":
		_, err := tlog.ParseTilePath("tile/8/" + c.Path)
		return err
	case "tiles":
		reader := tlog.TileHashReader(tlog.Tree{N: c.Size, Hash: c.Root}, tiles(c.Tiles))
		proof, err := tlog.ProveRecord(c.Size, c.Index, reader)
		if err != nil {
			return err
		}
		return tlog.CheckRecord(proof, c.Size, c.Root, c.Index, c.Leaf)
	}
	return errors.New("unknown kind")
}

func main() {
	lines := bufio.NewReaderSize(os.Stdin, 1<<24)
	decoder := json.NewDecoder(lines)
	for decoder.More() {
		var c testCase
		if err := decoder.Decode(&c); err != nil {
			panic(err)
		}
		fmt.Println(check(c) == nil)
	}
}
